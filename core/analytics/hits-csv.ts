import type { AccountCaller } from '../caller.ts';
import { invalidField } from '../errors.ts';
import { requireOwnedProject } from '../projects/owned-projects.ts';
import type { ProjectId } from '../../contract/fields.ts';
import { hitKey, type JoinedHit, joinOpens } from './join-opens.ts';
import type { HitQuery } from './ports.ts';
import type { OpensDeps } from './project-opens.ts';

const hitColumns = [
  'at',
  'outcome',
  'path',
  'country',
  'device',
  'browser',
  'os',
  'referrer',
  'link',
  'email',
] as const;

/** One page of hits as CSV (RFC 4180). */
export interface HitsPage {
  csv: string;
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined;
}

/** Sorts after every key of a hit. */
const afterLastKey = '~';
/** How many hits before and after a page are read, to join opens with their visits. */
const joinMargin = 2000;
const laterHitsLimit = 10_000;

/**
 * Every hit of a project with its outcome, newest first, in pages.
 * @param input.before `next` of the previous page
 * @throws CodedError NOT_FOUND, INVALID_REQUEST
 */
export async function listProjectHits(
  deps: Pick<OpensDeps, 'projects' | 'hits'>,
  caller: AccountCaller,
  { projectId, limit, before }: { projectId: string; limit: number; before?: string | undefined },
): Promise<HitsPage> {
  const { id } = await requireOwnedProject(deps.projects, caller, projectId);
  const end = before === undefined ? afterLastKey : parseCursor(before);
  const hits = await hitsAround(deps, id, { end, limit });
  const { readFrom } = hits;
  const older = joinOpens(hits.visits, hits.opens)
    .filter((hit) => hitKey(hit) < end)
    .filter((hit) => readFrom === undefined || hitKey(hit) >= readFrom);
  const page = older.slice(0, limit);
  const last = page.at(-1);
  return {
    csv: toCsv(page),
    next: older.length > limit && last !== undefined ? hitKey(last) : readFrom,
  };
}

/**
 * The hits of a page and those around it: an open is later than its visit and may be on another
 * page. Visitor pseudonyms change every day, so no hits after the end of the day are needed. From
 * `readFrom` on, all were read.
 */
async function hitsAround(
  { hits }: Pick<OpensDeps, 'hits'>,
  projectId: ProjectId,
  { end, limit }: { end: string; limit: number },
) {
  const readKind = async (kind: HitQuery['kind']) => {
    const before = await hits.newest({ projectId, kind, before: end, limit: limit + joinMargin });
    if (end === afterLastKey) return before;
    const dayEnd = `${end.slice(0, 10)}${afterLastKey}`;
    const query = { projectId, kind, before: dayEnd, from: end, limit: laterHitsLimit };
    const later = await hits.newest(query);
    return { ...before, hits: [...later.hits, ...before.hits] };
  };
  const [visits, opens] = await Promise.all([readKind('visit'), readKind('any-open')]);
  const [readFrom] = [visits.readFrom, opens.readFrom]
    .filter((key) => key !== undefined)
    .toSorted()
    .toReversed();
  return { visits: visits.hits, opens: opens.hits, readFrom };
}

function parseCursor(before: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z(?:#[\w-]{1,64})?$/.test(before)) return before;
  throw invalidField(
    'before',
    'must be the `before` of a Link header, or an instant with milliseconds',
  );
}

/** Rows with a header line; lines end with CRLF (RFC 4180 §2). */
function toCsv(hits: readonly JoinedHit[]): string {
  const rows = hits.map(({ link, ...hit }) => {
    const cells = { ...hit, link: link?.name };
    return hitColumns.map((name) => csvCell(cells[name] ?? '')).join(',');
  });
  return [hitColumns.join(','), ...rows, ''].join('\r\n');
}

/**
 * A cell that a spreadsheet reads as text: visitors choose paths and referrers (formula injection).
 * Depending on the language, spreadsheets split at `;`, `|` or tabs even within quotes, so a
 * formula may begin there too, after spaces or quotes; some also treat full-width signs like ASCII
 * ones.
 */
export function csvCell(text: string): string {
  const marked = text.replace(/(^|[;|,\t\r\n])([ "']*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
  const safe = /^[\t\r]/.test(marked) ? `'${marked}` : marked;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
