import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Rows } from '../../../ui/rows.tsx';
import { Time } from '../../../ui/time.tsx';
import { usePages } from '../../api/use-pages.ts';
import { call } from '../../api/call.ts';
import type { Output } from '../../api/contract.ts';
import { operatorTexts as t, outcomeNames, reasonNames } from '../../texts/en-operator.ts';
import { Decisions, Release } from './report-decisions.tsx';

type Reported = Output<'listReports'>['projects'][number];
type Report = Reported['reports'][number];
type State = 'open' | 'resolved';

/** What visitors reported, by project: what waits for a decision, or what was decided. */
export function Reports({ onFindOwner }: { onFindOwner: (accountId: string) => void }) {
  const [state, setState] = useState<State>('open');
  const query = usePages('listReports', ['pages', state], (cursor, options) =>
    call('listReports', { state, cursor }, options),
  );
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
        {({ pages }) => (
          <Rows items={pages.flatMap((page) => page.projects)} empty={t.noReports[state]}>
            {(one) => (
              <ReportedRow
                key={`${one.projectId} ${one.resolution?.at}`}
                reported={one}
                onFindOwner={onFindOwner}
              />
            )}
          </Rows>
        )}
      </QueryState>
      <MoreButton query={query} label={t.more} />
    </section>
  );
}

/** The reports of a project, what it is, and what can be decided. */
function ReportedRow({ reported, onFindOwner }: ReportedRowProps) {
  const { project, resolution, reports } = reported;
  const [shown, setShown] = useState<string>();
  const sites = project && [...new Set([...reports.map(({ siteUrl }) => siteUrl), project.url])];
  return (
    <li className="row wrap">
      <div className="row-main">
        <Summary reported={reported} />
        {reports.map((report) => (
          <Written key={report.number} report={report} />
        ))}
        <Owner project={project} onFindOwner={onFindOwner} />
        {resolution && (
          <span className="hint">
            {outcomeNames[resolution.outcome]} · <Time at={resolution.at} /> ·{' '}
            <bdi>{resolution.reason}</bdi>
          </span>
        )}
      </div>
      <div className="choices full">
        {sites?.map((url) => (
          <Button
            key={url}
            aria-expanded={shown === url}
            onClick={() => setShown(shown === url ? undefined : url)}
          >
            {shown === url && t.hidePage}
            {shown !== url && (sites.length === 1 ? t.showPage : t.showSite(new URL(url).host))}
          </Button>
        ))}
        {resolution === null && <Decisions reported={reported} />}
        {project?.takedown && <Release projectId={project.projectId} />}
      </div>
      {shown !== undefined && <ReportedPage url={shown} />}
    </li>
  );
}

interface ReportedRowProps {
  reported: Reported;
  onFindOwner: (accountId: string) => void;
}

function Summary({ reported: { host, count, since, reports, project } }: { reported: Reported }) {
  const [latest] = reports;
  return (
    <>
      <strong>
        {latest && `${reasonNames[latest.reason]}: `}
        <bdi>{project?.title ?? host}</bdi>
      </strong>
      <span className="hint">
        {t.reportCount(count)}
        {count > reports.length && `, ${t.latestOf(reports.length)}`} ·{' '}
        <Time at={since} text={t.waitsSince} />
      </span>
      {project?.takedown && (
        <span className="hint">
          {t.isDown} <bdi>{project.takedown.reason}</bdi>
        </span>
      )}
    </>
  );
}

/** What a visitor wrote. No address in it is a link: they are a stranger's. */
function Written({ report: { at, reason, message, email, url, siteUrl } }: { report: Report }) {
  return (
    <>
      <p className="written">
        <bdi>{message}</bdi>
      </p>
      <span className="hint">
        {reasonNames[reason]} · <Time at={at} /> · {new URL(siteUrl).host}
        {email !== null && <bdi>{` · ${t.from} ${email}`}</bdi>}
      </span>
      {url !== null && (
        <span className="hint">
          <bdi>{url}</bdi>
        </span>
      )}
    </>
  );
}

function Owner({
  project,
  onFindOwner,
}: Pick<ReportedRowProps, 'onFindOwner'> & Pick<Reported, 'project'>) {
  if (project === null) return <span className="hint">{t.gone}</span>;
  const { ownerId, ownerEmail } = project;
  if (ownerId === null) return <span className="hint">{t.noOwner}</span>;
  return (
    <span className="hint">
      {t.owner}{' '}
      <Button onClick={() => onFindOwner(ownerId)}>
        <bdi>{ownerEmail ?? ownerId}</bdi>
      </Button>
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
