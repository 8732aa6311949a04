import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { RowText } from '../../../ui/rows.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import { usePages } from '../../api/use-pages.ts';
import { call } from '../../api/call.ts';
import type { Output, Project } from '../../api/contract.ts';
import { peopleTexts as t } from '../../texts/en-people.ts';
import type { Change } from './settings-form.ts';

interface PeopleFieldsProps {
  project: Project;
  access: 'people' | 'identify';
  change: (fields: Omit<Change, 'projectId'>) => void;
}

/** Who may prove an e-mail address, and who has. */
export function PeopleFields(props: PeopleFieldsProps) {
  const { project, access } = props;
  const query = useOperation('getProject', { projectId: project.id });
  return (
    <>
      <p className="hint">{t.intro[access]}</p>
      <QueryState query={query}>{(current) => <Lists {...props} current={current} />}</QueryState>
      {project.access === access && <Visitors projectId={project.id} />}
    </>
  );
}

const linesOf = (entries: readonly string[] = []) => entries.join('\n');
const entriesOf = (lines: string) => lines.split(/[\s,;]+/).filter((entry) => entry !== '');

function Lists({ access, change, current }: PeopleFieldsProps & { current: Output<'getProject'> }) {
  const [form, setForm] = useState({
    people: linesOf(current.people),
    deniedPeople: linesOf(current.deniedPeople),
  });
  const set = (fields: Partial<typeof form>) => setForm({ ...form, ...fields });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const deniedPeople = entriesOf(form.deniedPeople);
    const people = access === 'people' ? { people: entriesOf(form.people) } : {};
    change({ access, ...people, deniedPeople });
  };
  return (
    <form className="stack" onSubmit={submit}>
      {access === 'people' && (
        <label className="field">
          <span>{t.people}</span>
          <textarea
            required
            rows={4}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={form.people}
            onChange={({ target }) => set({ people: target.value })}
          />
          <span className="hint">{t.peopleHint}</span>
        </label>
      )}
      <details open={form.deniedPeople !== ''}>
        <summary>{t.denied}</summary>
        <label className="field">
          <span className="hint">{t.deniedHint}</span>
          <textarea
            rows={2}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-label={t.denied}
            value={form.deniedPeople}
            onChange={({ target }) => set({ deniedPeople: target.value })}
          />
        </label>
      </details>
      <div className="choices">
        <button className="button small">{t.save[access]}</button>
      </div>
    </form>
  );
}

type Visitor = Output<'listVisitors'>['visitors'][number];

function Visitors({ projectId }: { projectId: string }) {
  const query = usePages('listVisitors', [projectId], (cursor, options) =>
    call('listVisitors', { projectId, cursor }, options),
  );
  const [ending, setEnding] = useState<Visitor>();
  const end = useChange('deleteVisitor', ['listVisitors'], () => setEnding(undefined));
  const visitors = (query.data?.pages ?? []).flatMap((page) => page.visitors);
  return (
    <section className="stack" aria-labelledby="came">
      <h3 id="came">{t.came}</h3>
      <QueryState query={query}>
        {() => (
          <>
            {visitors.length === 0 && <p className="hint">{t.nobody}</p>}
            <ul className="plain-rows">
              {visitors.map((visitor) => (
                <VisitorRow key={visitor.id} visitor={visitor} onEnd={() => setEnding(visitor)} />
              ))}
            </ul>
          </>
        )}
      </QueryState>
      <MoreButton query={query} label={t.more} />
      {ending !== undefined && (
        <Confirm
          title={t.endTitle(ending.email)}
          text={t.endText}
          action={t.end}
          change={{ ...end, run: () => end.mutate({ projectId, visitorId: ending.id }) }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </section>
  );
}

function VisitorRow({ visitor, onEnd }: { visitor: Visitor; onEnd: () => void }) {
  return (
    <li className="row wrap">
      <RowText name={visitor.email}>
        <Time at={visitor.lastProvedAt} form="ago" text={t.last} />
      </RowText>
      <Button aria-label={t.endOf(visitor.email)} onClick={onEnd}>
        {t.end}
      </Button>
    </li>
  );
}
