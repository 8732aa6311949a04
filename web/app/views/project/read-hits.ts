/** A page request, as the CSV of all hits has it. */
export interface Hit {
  at: string;
  outcome: string;
  path: string;
  country: string;
  device: string;
  browser: string;
  referrer: string;
  /** The name of the share link. */
  link: string;
}

/** A day with its counts. */
export interface HitDay {
  /** `2026-11-22`, in UTC. */
  day: string;
  visits: number;
  opens: number;
}

/** Outcomes of hits that are no visits: known bots. */
const botOutcomes = new Set(['bot', 'ai']);

/** Reads the CSV (RFC 4180); a row without a time is left out. */
export function readHits(csv: string): Hit[] {
  const [header = [], ...rows] = parseCsv(csv);
  return rows
    .map((row) => {
      const field = (name: string) => row[header.indexOf(name)] ?? '';
      return {
        at: field('at'),
        outcome: field('outcome'),
        path: field('path'),
        country: field('country'),
        device: field('device'),
        browser: field('browser'),
        referrer: field('referrer'),
        link: field('link'),
      };
    })
    .filter(({ at }) => at !== '');
}

/** Counts of the last `count` days up to `now`; days without hits are there too. */
export function hitDays(hits: readonly Hit[], count: number, now: Date): HitDay[] {
  const days = Array.from({ length: count }, (_, ago): HitDay => {
    const at = new Date(now.getTime() - (count - 1 - ago) * 86_400_000);
    return { day: at.toISOString().slice(0, 10), visits: 0, opens: 0 };
  });
  const byDay = new Map(days.map((day) => [day.day, day]));
  for (const { at, outcome } of hits) {
    const day = byDay.get(at.slice(0, 10));
    if (day === undefined || botOutcomes.has(outcome)) continue;
    day.visits += 1;
    if (outcome === 'open') day.opens += 1;
  }
  return days;
}

/** How many hits have each value, the most first. */
export function countBy(values: readonly string[]): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$)/g,
  )) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  return rows;
}
