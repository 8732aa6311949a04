import { useState } from 'react';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import type { Output } from '../../api/contract.ts';
import { openReports } from '../../api/queries.ts';
import { operatorTexts as t, outcomeNames, reasonNames } from '../../texts/en-operator.ts';
import { AskReason } from './take-down.tsx';

type Report = Output<'listReports'>['reports'][number];
type Outcome = keyof typeof outcomeNames;

/** What visitors reported: what waits for a decision, or what was decided. */
export function Reports({ onFindOwner }: { onFindOwner: (accountId: string) => void }) {
  const [state, setState] = useState<'open' | 'resolved'>('open');
  const query = useOperation('listReports', { ...openReports, state });
  return (
    <section className="part">
      <h2>{t.reports}</h2>
      <fieldset className="choices">
        <legend className="unseen">{t.reports}</legend>
        {(['open', 'resolved'] as const).map((one) => (
          <button
            key={one}
            type="button"
            className={state === one ? 'button small' : 'button quiet small'}
            aria-pressed={state === one}
            onClick={() => setState(one)}
          >
            {t.states[one]}
          </button>
        ))}
      </fieldset>
      <QueryState key={state} query={query}>
        {({ reports }) =>
          reports.length === 0 ? (
            <p className="muted">{t.noReports[state]}</p>
          ) : (
            <ul className="plain-rows">
              {reports.map((report) => (
                <ReportRow key={report.id} report={report} onFindOwner={onFindOwner} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}

/** A report, what it is about, and what can be decided. */
function ReportRow({ report, onFindOwner }: ReportRowProps) {
  const { project, resolution } = report;
  const [isShown, setShown] = useState(false);
  return (
    <li className="row wrap">
      <div className="row-main">
        <Reported report={report} />
        <Owner project={project} onFindOwner={onFindOwner} />
        {resolution && (
          <span className="hint">
            {outcomeNames[resolution.outcome]} · <Time at={resolution.at} /> ·{' '}
            <bdi>{resolution.reason}</bdi>
          </span>
        )}
      </div>
      <div className="choices full">
        {project !== null && (
          <button
            type="button"
            className="button quiet small"
            aria-expanded={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t.hidePage : t.showPage}
          </button>
        )}
        {resolution === null && <Decisions report={report} />}
        {project?.takedown && <Release projectId={project.projectId} />}
      </div>
      {isShown && project !== null && <ReportedPage url={project.url} />}
    </li>
  );
}

interface ReportRowProps {
  report: Report;
  onFindOwner: (accountId: string) => void;
}

/** What a visitor wrote. No address in it is a link: they are a stranger's. */
function Reported({ report }: { report: Report }) {
  const { at, host, reason, message, email, url, project } = report;
  return (
    <>
      <strong>
        {reasonNames[reason]}: <bdi>{project?.title ?? host}</bdi>
      </strong>
      <p className="written">
        <bdi>{message}</bdi>
      </p>
      <span className="hint">
        <Time at={at} />
        {email !== null && <bdi>{` · ${t.from} ${email}`}</bdi>}
      </span>
      <span className="hint">
        <bdi>{url ?? host}</bdi>
      </span>
      {project?.takedown && (
        <span className="hint">
          {t.isDown} <bdi>{project.takedown.reason}</bdi>
        </span>
      )}
    </>
  );
}

function Owner({
  project,
  onFindOwner,
}: Pick<ReportRowProps, 'onFindOwner'> & Pick<Report, 'project'>) {
  if (project === null) return <span className="hint">{t.gone}</span>;
  const { ownerId, ownerEmail } = project;
  if (ownerId === null) return <span className="hint">{t.noOwner}</span>;
  return (
    <span className="hint">
      {t.owner}{' '}
      <button type="button" className="button quiet small" onClick={() => onFindOwner(ownerId)}>
        <bdi>{ownerEmail ?? ownerId}</bdi>
      </button>
    </span>
  );
}

/** The reported page with scripts but without its origin: it has no stored data, sends no forms and opens nothing. */
function ReportedPage({ url }: { url: string }) {
  return (
    <div className="preview full">
      <iframe title={t.page} src={url} sandbox="allow-scripts" referrerPolicy="no-referrer" />
    </div>
  );
}

/** The three ways to end a report. */
function Decisions({ report: { id: reportId, reason, host, project } }: { report: Report }) {
  const [asked, setAsked] = useState<Outcome>();
  const resolve = useChange('resolveReport', ['listReports', 'listAccounts'], () =>
    setAsked(undefined),
  );
  const outcomes: Outcome[] = ['nothing-wrong'];
  if (project !== null) outcomes.push('taken-down');
  if (project !== null && project.ownerId !== null) outcomes.push('suspended');
  return (
    <>
      {outcomes.map((outcome) => (
        <button
          key={outcome}
          type="button"
          className={outcome === 'nothing-wrong' ? 'button quiet small' : 'button danger small'}
          onClick={() => setAsked(outcome)}
        >
          {t.decisions[outcome].action}
        </button>
      ))}
      {asked !== undefined && (
        <AskReason
          title={t.decisions[asked].title(
            asked === 'suspended' ? (project?.ownerEmail ?? host) : host,
          )}
          text={t.decisions[asked].text}
          label={asked === 'nothing-wrong' ? t.note : t.reasonField}
          initial={asked === 'nothing-wrong' ? t.noteAtFirst : `${reasonNames[reason]}.`}
          action={t.decisions[asked].action}
          change={resolve}
          run={(given) => resolve.mutate({ reportId, outcome: asked, reason: given })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function Release({ projectId }: { projectId: string }) {
  const release = useChange('liftTakedown', ['listReports']);
  return (
    <>
      <button
        type="button"
        className="button quiet small"
        disabled={release.isPending}
        onClick={() => release.mutate({ projectId })}
      >
        {t.release}
      </button>
      {release.error && <ErrorNote error={release.error} />}
    </>
  );
}
