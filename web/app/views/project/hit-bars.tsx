import { AxisBottom, AxisLeft } from '@visx/axis';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar } from '@visx/shape';
import { formatNumber, formatShortDay } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';
import type { HitDay } from './read-hits.ts';

const t = texts.project;
const size = { width: 640, height: 220, left: 36, bottom: 26, top: 8 };

/** Visits and opens by day, as bars. */
export function HitBars({ days }: { days: readonly HitDay[] }) {
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
