import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useContext } from 'react';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Term } from '../../../ui/term.tsx';
import { Skeleton } from '../../../ui/query-state.tsx';
import { AccountContext } from '../../api/account.ts';
import { formatNumber } from '../../texts/format.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { DownloadHits } from './download-hits.tsx';
import { hitPage } from '../../api/hit-page.ts';
import { firstPage } from './hit-pages.ts';
import { countBy, type Hit, hitDays, readHits } from './read-hits.ts';

const t = texts.project;
const shownDays = 30;

/** Its packages are larger than the rest of the view, which does not wait for them. */
const HitBars = lazy(async () => ({ default: (await import('./hit-bars.tsx')).HitBars }));
const barsBox = '0 0 640 220';

/** Visits and opens by day, and why the other hits are not opens. */
export function HitChart({ project: { id: projectId, slug } }: { project: Project }) {
  const account = useContext(AccountContext);
  const { data, error, refetch } = useQuery({
    queryKey: [account, 'hits', projectId],
    queryFn: async ({ signal }) => readHits((await hitPage(firstPage(projectId), signal)).csv),
  });
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={4} />;
  return (
    <section className="stack">
      <h2>{t.overTime}</h2>
      <ul className="legend hint">
        <li className="of-opens">{t.opens}</li>
        <li className="of-visits">{t.visits}</li>
      </ul>
      <Suspense fallback={<svg className="chart" viewBox={barsBox} />}>
        <HitBars days={hitDays(data, shownDays, new Date())} />
      </Suspense>
      <Totals opens={data.filter(({ outcome }) => outcome === 'open')} />
      <Reasons outcomes={data.map(({ outcome }) => outcome)} />
      <DownloadHits projectId={projectId} name={slug} />
    </section>
  );
}

/** The pages, devices, browsers, share links and sources of opens. */
function Totals({ opens }: { opens: readonly Hit[] }) {
  const groups = [
    [t.pages, opens.map(({ path }) => path)],
    [t.devices, opens.map(({ device }) => device)],
    [t.browsers, opens.map(({ browser }) => browser)],
    [t.tabs.links, opens.map(({ link }) => link)],
    [t.referrers, opens.map(({ referrer }) => referrer)],
  ] as const;
  return groups.map(([title, values]) => (
    <Chips key={title} title={title} counts={countBy(values.filter((value) => value !== ''))} />
  ));
}

/** The most values of a total that are shown. */
const maxShown = 12;

function Chips({ title, counts, describe }: ChipsProps) {
  if (counts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="chips">
        {counts.slice(0, maxShown).map(([value, count]) => (
          <li key={value} className="badge">
            {describe === undefined ? <bdi>{value}</bdi> : <Term {...describe(value)} />}{' '}
            {formatNumber(count)}
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChipsProps {
  title: string;
  counts: readonly [string, number][];
  /** A value in words for a person; without it, it is shown as it is. */
  describe?: (value: string) => { text: string; hint: string };
}

/** A reason that this version of the app does not know keeps its name. */
function describeReason(reason: string): { text: string; hint: string } {
  const known = Object.entries(t.reasons).find(([one]) => one === reason)?.[1];
  return known === undefined ? { text: reason, hint: reason } : { text: known[0], hint: known[1] };
}

/** Why hits are not opens: each of them has a reason. */
function Reasons({ outcomes }: { outcomes: readonly string[] }) {
  const reasons = outcomes.filter((outcome) => outcome !== 'open');
  return <Chips title={t.excluded} counts={countBy(reasons)} describe={describeReason} />;
}
