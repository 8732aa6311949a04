import { useQuery } from '@tanstack/react-query';
import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { useContext } from 'react';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Term } from '../../../ui/term.tsx';
import { Skeleton } from '../../../ui/query-state.tsx';
import { AccountContext } from '../../api/account.ts';
import { formatNumber, formatShortDay } from '../../texts/format.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { DownloadHits } from './download-hits.tsx';
import { hitPage } from '../../api/hit-page.ts';
import { firstPage } from './hit-pages.ts';
import { countBy, type Hit, type HitDay, hitDays, readHits } from './read-hits.ts';

const t = texts.project;
const shownDays = 30;
const size = { width: 640, height: 220, left: 36, bottom: 26, top: 8 };

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
      <Chart days={hitDays(data, shownDays, new Date())} />
      <Totals opens={data.filter(({ outcome }) => outcome === 'open')} />
      <Reasons outcomes={data.map(({ outcome }) => outcome)} />
      <DownloadHits projectId={projectId} name={slug} />
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
      <DayLabels days={days} x={x} bottom={bottom} />
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

/** What a day has, under the mouse: over the whole height, so that a day without opens says so too. */
function DayLabels({ days, x, bottom }: DayLabelsProps) {
  return days.map(({ day, visits, opens }) => (
    <rect
      key={day}
      className="bar-label"
      x={x(day) ?? 0}
      y={size.top}
      width={x.bandwidth()}
      height={bottom - size.top}
    >
      <title>{t.dayLabel(formatShortDay(day), visits, opens)}</title>
    </rect>
  ));
}

interface DayLabelsProps {
  days: readonly HitDay[];
  x: ReturnType<typeof scaleBand<string>>;
  /** Where the axis is. */
  bottom: number;
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
