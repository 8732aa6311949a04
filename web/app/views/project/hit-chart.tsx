import { useQuery } from '@tanstack/react-query';
import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useContext } from 'react';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Skeleton } from '../../../ui/query-state.tsx';
import { AccountContext } from '../../api/account.ts';
import { formatNumber, formatShortDay } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';
import { DownloadHits } from './download-hits.tsx';
import { hitPage } from '../../api/hit-page.ts';
import { firstPage } from './hit-pages.ts';
import { countBy, type Hit, type HitDay, hitDays, readHits } from './read-hits.ts';

const t = texts.project;
const shownDays = 30;
const size = { width: 640, height: 220, left: 36, bottom: 26, top: 8 };

/** Visits and opens by day, and why the other hits are not opens. */
export function HitChart({ projectId }: { projectId: string }) {
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
      <Chart days={hitDays(data, shownDays, new Date())} />
      <Totals opens={data.filter(({ outcome }) => outcome === 'open')} />
      <Reasons outcomes={data.map(({ outcome }) => outcome)} />
      <DownloadHits projectId={projectId} />
    </section>
  );
}

function Chart({ days }: { days: readonly HitDay[] }) {
  const sum = (field: 'visits' | 'opens') => days.reduce((total, day) => total + day[field], 0);
  const x = scaleBand({
    domain: days.map(({ day }) => day),
    range: [size.left, size.width],
    padding: 0.3,
  });
  const most = Math.max(4, ...days.map(({ visits }) => visits));
  const bottom = size.height - size.bottom;
  const y = scaleLinear({ domain: [0, most], range: [bottom, size.top], nice: true });
  const bars = (field: 'visits' | 'opens') =>
    days.map((day) => (
      <Bar
        key={day.day}
        className={`bar-${field}`}
        x={x(day.day) ?? 0}
        y={y(day[field])}
        width={x.bandwidth()}
        height={bottom - y(day[field])}
      />
    ));
  const ticks = days.filter((_, index) => index % 7 === 4).map(({ day }) => day);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label={t.chartLabel(sum('visits'), sum('opens'))}
    >
      {bars('visits')}
      {bars('opens')}
      <AxisLeft
        scale={y}
        left={size.left}
        numTicks={4}
        hideAxisLine
        hideTicks
        tickFormat={(value) => formatNumber(Number(value))}
      />
      <AxisBottom scale={x} top={bottom} tickValues={ticks} hideTicks tickFormat={formatShortDay} />
    </svg>
  );
}

/** The devices, browsers, share links and referrers of opens. */
function Totals({ opens }: { opens: readonly Hit[] }) {
  const groups = [
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

function Chips({ title, counts }: { title: string; counts: readonly [string, number][] }) {
  if (counts.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="chips">
        {counts.slice(0, maxShown).map(([value, count]) => (
          <li key={value} className="badge">
            <bdi>{value}</bdi> {formatNumber(count)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Why hits are not opens: each of them has a reason. */
function Reasons({ outcomes }: { outcomes: readonly string[] }) {
  const reasons = outcomes.filter((outcome) => outcome !== 'open');
  return <Chips title={t.excluded} counts={countBy(reasons)} />;
}
