import { QueryState } from '../../ui/query-state.tsx';
import { useOperation } from '../api/account.ts';
import { texts } from '../texts/en.ts';

const t = texts.keys;

/** The projects that a new key may use, newest first: all of the account, or those that are marked. */
export function KeyProjects({
  chosen,
  onChange,
}: {
  /** Undefined for all projects. */
  chosen: readonly string[] | undefined;
  onChange: (chosen: readonly string[] | undefined) => void;
}) {
  return (
    <>
      <label className="field">
        <span>{t.projects}</span>
        <select
          value={chosen === undefined ? 'all' : 'some'}
          onChange={({ target }) => onChange(target.value === 'all' ? undefined : [])}
        >
          <option value="all">{t.allProjects}</option>
          <option value="some">{t.someProjects}</option>
        </select>
      </label>
      {chosen !== undefined && <Marks chosen={chosen} onChange={onChange} />}
    </>
  );
}

function Marks({
  chosen,
  onChange,
}: {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}) {
  const query = useOperation('listProjects', { limit: '100' });
  return (
    <QueryState query={query}>
      {({ projects }) => (
        <fieldset>
          <legend>{t.chooseProjects}</legend>
          {projects.map(({ id, title }) => (
            <label key={id} className="option">
              <input
                type="checkbox"
                required={chosen.length === 0}
                checked={chosen.includes(id)}
                onChange={({ target }) => {
                  const others = chosen.filter((one) => one !== id);
                  onChange(target.checked ? [...others, id] : others);
                }}
              />
              <bdi>{title}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </QueryState>
  );
}
