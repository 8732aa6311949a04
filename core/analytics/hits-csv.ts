import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { ownedProject } from '../projects/owned-project.ts';
import type { ProjectId } from '../../contract/fields.ts';
import { hitKey, type JoinedHit, joinOpens } from './join-opens.ts';
import type { HitQuery } from './ports.ts';
import type { OpensDeps } from './project-opens.ts';

/** The columns, in their order. */
const hitColumns = [
  'at',
  'outcome',
  'path',
  'country',
  'device',
  'browser',
  'os',
  'referrer',
] as const;

/** One page of hits as CSV (RFC 4180). */
export interface HitsPage {
  csv: string;
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined;
}

/** Sorts after every key of a hit. */
const afterAll = '~';
/** How far beyond a page opens and visits may lie that belong to each other. */
const margin = 2000;
const laterMargin = 10_000;

/**
 * Every hit of a project with what it came to, newest first, in pages.
 * @param input.before `next` of the page before
 * @throws CodedError NOT_FOUND, INVALID_REQUEST
 */
export async function hitsCsv(
  deps: Pick<OpensDeps, 'projects' | 'hits'>,
  caller: AccountCaller,
  { projectId, limit, before }: { projectId: string; limit: number; before?: string | undefined },
): Promise<HitsPage> {
  const { id } = await ownedProject(deps.projects, caller, projectId);
  const end = before === undefined ? afterAll : cursor(before);
  const hits = await hitsAround(deps, id, { end, limit });
  const older = joinOpens(hits.visits, hits.opens).filter((hit) => hitKey(hit) < end);
  const page = older.slice(0, limit);
  const last = page.at(-1);
  return {
    csv: csvOf(page),
    next: older.length > limit && last !== undefined ? hitKey(last) : undefined,
  };
}

/**
 * What a page is made of: more than its own rows, because an open is written when its page became
 * visible and may lie on another page than its visit. Nobody has the same name for two days, so that
 * nothing after the day is looked at.
 */
async function hitsAround(
  { hits }: Pick<OpensDeps, 'hits'>,
  projectId: ProjectId,
  { end, limit }: { end: string; limit: number },
) {
  const of = async (kind: HitQuery['kind']) => {
    const before = await hits.newest({ projectId, kind, before: end, limit: limit + margin });
    if (end === afterAll) return before;
    const dayEnd = `${end.slice(0, 10)}${afterAll}`;
    const query = { projectId, kind, before: dayEnd, from: end, limit: laterMargin };
    return [...(await hits.newest(query)), ...before];
  };
  const [visits, opens, ownerOpens] = await Promise.all([
    of('visit'),
    of('open'),
    of('owner-open'),
  ]);
  return { visits, opens: [...opens, ...ownerOpens] };
}

function cursor(before: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?:#[\w-]{1,64})?$/.test(before)) return before;
  const message = 'must be the `before` of a Link header, or an instant with milliseconds';
  throw new CodedError('INVALID_REQUEST', {
    error: `before: ${message}.`,
    details: [{ path: 'before', message }],
  });
}

/** Rows with a head, each ended as RFC 4180 §2 says. */
function csvOf(hits: readonly JoinedHit[]): string {
  const rows = hits.map((hit) => hitColumns.map((name) => cell(hit[name] ?? '')).join(','));
  return [hitColumns.join(','), ...rows, ''].join('\r\n');
}

/** A cell that a spreadsheet takes for text: visitors choose paths and referrers (formula injection). */
export function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
