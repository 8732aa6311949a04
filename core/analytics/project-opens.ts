import { daySeconds } from '../../contract/limits.ts';
import type { ProjectId } from '../../contract/fields.ts';
import type { AccountCaller } from '../caller.ts';
import { plusSeconds } from '../instants.ts';
import type { ProjectStore } from '../ports.ts';
import { requireOwnedProject } from '../projects/owned-projects.ts';
import type { HitReader, MinuteCount, ProjectCounts } from './ports.ts';
import type { RecordedHit } from './recorded-hit.ts';

/** The dependencies of `getProjectOpens`. */
export interface OpensDeps {
  projects: Pick<ProjectStore, 'get'>;
  hits: HitReader;
  now(): Date;
}

const weekSeconds = 7 * daySeconds;
const latestCount = 10;
const topCount = 5;

/**
 * Who opened a project (docs/contract.md, "Opens and visits").
 * @throws CodedError NOT_FOUND
 */
export async function getProjectOpens(
  deps: OpensDeps,
  caller: AccountCaller,
  input: { projectId: string },
) {
  const { id, analyticsEnabled } = await requireOwnedProject(
    deps.projects,
    caller,
    input.projectId,
  );
  return { projectId: id, analyticsEnabled, ...(await readOpens(deps.hits, id, deps.now())) };
}

/** The opens of a project, without a check of who reads them. */
export async function readOpens(hits: Pick<HitReader, 'summary'>, id: ProjectId, now: Date) {
  const since = plusSeconds(now, -weekSeconds);
  const { latestOpens, ...counts } = await hits.summary(id, { since, latest: latestCount });
  return describeOpens(counts, latestOpens, now);
}

/** The figures of the response. Pure. */
export function describeOpens(counts: ProjectCounts, latest: readonly RecordedHit[], now: Date) {
  const { totals, minutes, countries } = counts;
  const within = (seconds: number, name: 'visits' | 'opens') => {
    const from = startOfMinute(plusSeconds(now, -seconds));
    return sum(minutes.filter(({ at }) => at >= from).map((minute: MinuteCount) => minute[name]));
  };
  const figures = (name: 'visits' | 'opens') => ({
    total: totals[name],
    last24h: within(daySeconds, name),
    last7d: within(weekSeconds, name),
  });
  return {
    opens: figures('opens'),
    lastOpenedAt: laterInstant(counts.lastOpenedAt, latest[0]?.at ?? null),
    recentOpens: latest.map(describeHit),
    topCountries: topCountries(countries),
    visits: figures('visits'),
    ownerOpens: { total: totals.ownerOpens },
  };
}

/** An open as its owner sees it. Pure. */
export function describeHit({ at, country, device, browser, os, referrer, ...hit }: RecordedHit) {
  const { link, email } = hit;
  const facts = { at, country, device, browser, os, referrer, link: link?.name ?? null };
  return { ...facts, ...(email !== undefined && { email }) };
}

/** Most opens first; equal countries in alphabetical order, so that the order is stable. */
function topCountries(countries: ProjectCounts['countries']) {
  return Object.entries(countries)
    .map(([country, opens]) => ({ country, opens }))
    .toSorted((a, b) => b.opens - a.opens || (a.country < b.country ? -1 : 1))
    .slice(0, topCount);
}

function laterInstant(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function startOfMinute(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 60_000) * 60_000);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
