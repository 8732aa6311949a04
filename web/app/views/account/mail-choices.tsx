import { ErrorNote } from '../../../ui/error-note.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import { mailTexts as t } from '../../texts/en-account.ts';

/** Which mails the owner gets; each box is saved at once. */
export function MailChoices() {
  const query = useOperation('getMailChoices', {});
  const change = useChange('updateMailChoices', ['getMailChoices']);
  const chosen = change.isPending ? change.variables.mails : {};
  return (
    <section className="part">
      <h2>{t.title}</h2>
      <p className="muted">{t.intro}</p>
      <QueryState query={query}>
        {({ mails }) => (
          <div className="stack">
            {t.kinds.map(([kind, text]) => (
              <label className="check" key={kind}>
                <input
                  type="checkbox"
                  checked={chosen[kind] ?? mails[kind]}
                  disabled={change.isPending}
                  onChange={({ target }) => change.mutate({ mails: { [kind]: target.checked } })}
                />{' '}
                <span>{text}</span>
              </label>
            ))}
          </div>
        )}
      </QueryState>
      {change.error && <ErrorNote error={change.error} />}
    </section>
  );
}
