import { ErrorNote } from '../../../ui/error-note.tsx';
import { Skeleton } from '../../../ui/query-state.tsx';
import { useOperation } from '../../api/account.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Output, Project } from '../../api/contract.ts';
import { formatCountry, formatNumber } from '../../texts/format.ts';
import { Paid } from '../../shell/paid.tsx';
import { texts } from '../../texts/en.ts';
import { Term } from '../../../ui/term.tsx';
import { Time } from '../../../ui/time.tsx';
import { HitChart } from './hit-chart.tsx';
import { Preview } from './preview.tsx';
import { SharePanel } from './share-panel.tsx';
import { useProject } from './use-project.ts';

const t = texts.project;

type Opens = Output<'getProjectOpens'>;

/** What a project looks like, and who opened it. */
export function OverviewView() {
  const { project } = useProject();
  if (project === undefined) return null;
  return (
    <div className="columns">
      <div className="beside stack">
        <SharePanel key={project.id} project={project} />
        <Preview key={project.updatedAt} project={project} />
      </div>
      <Statistics project={project} />
    </div>
  );
}

function Statistics({ project }: { project: Project }) {
  const { id: projectId } = project;
  const { data, error, refetch } = useOperation('getProjectOpens', { projectId });
  if (error instanceof ApiError && error.code === 'FREE_TIER_RESTRICTED') {
    return <Paid what={t.statistics} />;
  }
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={6} />;
  return (
    <div className="stack">
      {!data.analyticsEnabled && <p className="note">{t.analyticsOff}</p>}
      <p>
        <strong>{t.summary(data.opens.total, data.visits.total)}</strong>{' '}
        {data.ownerOpens.total > 0 && t.ownOpens(data.ownerOpens.total)}
      </p>
      <div className="figures">
        <Figure label={t.opens} hint={t.opensHint} figures={data.opens} />
        <Figure label={t.visits} hint={t.visitsHint} figures={data.visits} />
      </div>
      <HitChart project={project} />
      <Countries countries={data.topCountries} />
      <RecentOpens opens={data.recentOpens} />
    </div>
  );
}

function Figure({ label, hint, figures }: FigureProps) {
  return (
    <dl className="figure card">
      <dt>
        <Term text={label} hint={hint} />
      </dt>
      <dd className="display number">{formatNumber(figures.total)}</dd>
      <dd className="hint">
        {formatNumber(figures.last24h)} {t.last24h}
      </dd>
      <dd className="hint">
        {formatNumber(figures.last7d)} {t.last7d}
      </dd>
    </dl>
  );
}

interface FigureProps {
  label: string;
  /** What is counted. */
  hint: string;
  figures: Opens['opens'];
}

function Countries({ countries }: { countries: Opens['topCountries'] }) {
  if (countries.length === 0) return null;
  const most = Math.max(...countries.map(({ opens }) => opens));
  return (
    <section className="stack">
      <h2>{t.countries}</h2>
      <ul className="plain-rows">
        {countries.map(({ country, opens }) => (
          <li key={country} className="usage">
            <span>{formatCountry(country)}</span>
            <span className="number hint">{formatNumber(opens)}</span>
            <meter aria-label={formatCountry(country)} max={most} value={opens} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecentOpens({ opens }: { opens: Opens['recentOpens'] }) {
  if (opens.length === 0) return <p className="muted">{t.noOpens}</p>;
  // Of a public link nobody knows who opened it.
  const isNamed = opens.some(({ email, link }) => (email ?? link) !== null);
  return (
    <section className="stack">
      <h2>{t.recent}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            {isNamed && <th scope="col">{t.who}</th>}
            <th scope="col">{t.from}</th>
            <th scope="col">{t.device}</th>
            <th scope="col" className="kind">
              {t.referrer}
            </th>
          </tr>
        </thead>
        <tbody>
          {opens.map(({ at, country, device, browser, os, referrer, link, email }) => (
            <tr key={at}>
              <td>
                <Time at={at} />
              </td>
              {isNamed && (
                <td>
                  <bdi>{email ?? link}</bdi>
                </td>
              )}
              <td>{country === null ? t.unknown : formatCountry(country)}</td>
              <td>{[browser, os, device].filter((part) => part !== null).join(' · ')}</td>
              <td className="kind">
                <bdi>{referrer}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
