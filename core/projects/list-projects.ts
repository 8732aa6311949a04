import { type AccountId, Instant, ProjectId } from '../../contract/fields.ts';
import type { ProjectResource } from '../../contract/project-resource.ts';
import type { LastOpens } from '../analytics/ports.ts';
import { effectiveTier } from '../accounts/account.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import type { Addresses } from './addresses/addresses.ts';
import type { OwnedProjectStore, ProjectQuery, ProjectScan } from './owned-projects.ts';
import type { ProjectStore } from '../ports.ts';
import type { Project } from './project.ts';
import { toProjectResource } from './project-view.ts';

/** Dependencies of {@link listProjectPage}. */
export interface ListProjectsDeps {
  owned: Pick<OwnedProjectStore, 'list' | 'scan'>;
  projects: Pick<ProjectStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  now(): Date;
}

/** Which projects, in which order, from where on. */
export interface ProjectSearch extends Omit<ProjectQuery, 'accountId'> {
  type?: ProjectResource['type'] | undefined;
  status?: ProjectResource['status'] | undefined;
  access?: ProjectResource['access'] | undefined;
  domainId?: string | undefined;
  /** Part of the title or the address, in any case. */
  q?: string | undefined;
  sort?: 'newest' | 'oldest' | 'updated' | 'title' | undefined;
  cursor?: string | undefined;
}

/**
 * A page of the caller's projects, including expired ones.
 *
 * Any order except by age reads all projects of the account, because the index is sorted by age. A
 * cursor has the sort value of the last project of its page, so that the next page neither repeats
 * nor skips a project when others appear or disappear in between.
 * @throws CodedError INVALID_REQUEST for an invalid cursor
 */
export async function listProjectPage(
  deps: ListProjectsDeps,
  caller: AccountCaller,
  input: ProjectSearch,
) {
  const { limit, offset } = input;
  const order = orders[input.sort ?? 'newest'];
  const found = isSearch(input)
    ? await search(deps, caller, input, order)
    : caller.projectIds === undefined
      ? await page(deps, caller, input)
      : (await search(deps, caller, input, order)).slice(offset);
  const projects = found.slice(0, limit);
  const last = projects.at(-1);
  const nextCursor =
    found.length > limit && last !== undefined ? writeCursor(order, positionOf(order, last)) : null;
  return { projects, limit, offset, nextCursor };
}

/** A page of projects; with `include: 'opens'` each with how often people opened it: one call more for the page. */
export async function listProjects(
  deps: ListProjectsDeps & { opens: LastOpens },
  caller: AccountCaller,
  { include, ...input }: ProjectSearch & { include?: 'opens' | undefined },
) {
  const { projects, ...page } = await listProjectPage(deps, caller, input);
  const isPaid = effectiveTier(caller.account, deps.now()) !== 'free';
  if (include === undefined || !isPaid || projects.length === 0) return { projects, ...page };
  const totals = await deps.opens.lastOpens(projects.map(({ id }) => id));
  const counted = projects.map((one) =>
    one.analyticsEnabled ? { ...one, opens: totals.get(one.id)?.opens ?? 0 } : one,
  );
  return { projects: counted, ...page };
}

/** Reads one project more than the page, to know whether there is a next page. */
async function page(deps: ListProjectsDeps, { account }: AccountCaller, input: ProjectSearch) {
  const { archived, workspaceId, limit, offset } = input;
  const query = { archived, workspaceId, limit: limit + 1, offset, accountId: account.id };
  const projects = await deps.owned.list(query);
  const now = deps.now();
  return projects.map((project) => toProjectResource(project, deps.addresses, now));
}

function isSearch(input: ProjectSearch) {
  const { sort = 'newest', cursor } = input;
  return isFiltered(input) || cursor !== undefined || sort !== 'newest';
}

function isFiltered({ type, status, access, domainId, q = '' }: ProjectSearch): boolean {
  return q !== '' || [type, status, access, domainId].some((field) => field !== undefined);
}

async function search(
  deps: ListProjectsDeps,
  caller: AccountCaller,
  input: ProjectSearch,
  order: Order,
): Promise<ProjectResource[]> {
  const from = input.cursor === undefined ? undefined : readCursor(order, input.cursor);
  const isMatch = projectMatcher(input);
  // Without a filter, every project that is read belongs to the page, so no more are read than it
  // shows.
  const isWhole = !isFiltered(input) && input.workspaceId === undefined;
  const pageSize = order.isByAge && isWhole ? input.limit + 1 : undefined;
  const found: ProjectResource[] = [];
  for (const state of states[input.archived]) {
    let count = 0;
    const scan = { ...scanOf(caller.account.id, { state, order, from }), pageSize };
    for await (const projects of scanFor(deps, caller, scan)) {
      const resources = projects.map((one) => toProjectResource(one, deps.addresses, deps.now()));
      const matching = resources.filter(
        (one) =>
          (from === undefined || compare(order, positionOf(order, one), from) > 0) && isMatch(one),
      );
      found.push(...matching);
      count += matching.length;
      if (order.isByAge && count > input.limit) break;
    }
  }
  return found.toSorted((a, b) => compare(order, positionOf(order, a), positionOf(order, b)));
}

/** The projects of a scan that exist for the caller. The few of a limited key are read by their ids. */
async function* scanFor(
  deps: ListProjectsDeps,
  caller: AccountCaller,
  scan: ProjectScan,
): AsyncIterable<Project[]> {
  const { projectIds } = caller;
  if (projectIds === undefined) return yield* deps.owned.scan(scan);
  const found = await Promise.all(projectIds.map((id) => deps.projects.get(id)));
  yield found.filter((one): one is Project => one !== undefined && isListed(one, scan));
}

function isListed(
  { ownerId, removingAt, failure, archivedAt }: Project,
  { accountId, state }: ProjectScan,
): boolean {
  const isOwned = ownerId === accountId && removingAt === null && failure === null;
  return isOwned && (archivedAt === null) === (state === 'active');
}

const states = { true: ['archived'], false: ['active'], all: ['active', 'archived'] } as const;

/** A list by age begins where the last page ended; any other order reads all projects. */
function scanOf(
  accountId: AccountId,
  {
    state,
    order,
    from,
  }: { state: 'active' | 'archived'; order: Order; from: Position | undefined },
): Omit<ProjectScan, 'pageSize'> {
  const isNewestFirst = order.isByAge && order.isDescending;
  if (from === undefined || !order.isByAge)
    return { accountId, state, isNewestFirst, after: undefined };
  const [createdAt, id] = from;
  return { accountId, state, isNewestFirst, after: { createdAt, id } };
}

/** Whether a project matches all conditions of a search. Pure. */
function projectMatcher(search: Partial<ProjectSearch>) {
  const text = folded(search.q ?? '');
  const wanted = [
    ['type', search.type],
    ['status', search.status],
    ['access', search.access],
    ['domainId', search.domainId],
    ['workspaceId', search.workspaceId],
  ] as const;
  return (project: ProjectResource): boolean =>
    wanted.every(([name, value]) => value === undefined || project[name] === value) &&
    (text === '' || folded(`${project.title}\n${project.url}`).includes(text));
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** The value that an order compares, and its direction. The id decides between equal values. */
interface Order {
  name: string;
  key: (project: ProjectResource) => string;
  isDescending: boolean;
  /** Whether it is the order in which projects are stored. */
  isByAge: boolean;
}

const orders: Record<NonNullable<ProjectSearch['sort']>, Order> = {
  newest: { name: 'newest', key: ({ createdAt }) => createdAt, isDescending: true, isByAge: true },
  oldest: { name: 'oldest', key: ({ createdAt }) => createdAt, isDescending: false, isByAge: true },
  updated: {
    name: 'updated',
    key: ({ updatedAt }) => updatedAt,
    isDescending: true,
    isByAge: false,
  },
  title: { name: 'title', key: ({ title }) => folded(title), isDescending: false, isByAge: false },
};

type Position = readonly [key: string, id: string];

function positionOf({ key }: Order, project: ProjectResource): Position {
  return [key(project), project.id];
}

function compare({ isDescending }: Order, [a, aId]: Position, [b, bId]: Position): number {
  const [first, second] = a === b ? [aId, bId] : [a, b];
  if (first === second) return 0;
  return first < second === isDescending ? 1 : -1;
}

function writeCursor({ name }: Order, [key, id]: Position): string {
  return Buffer.from(`${name} ${id} ${key}`).toString('base64url');
}

/** For a list by age, time and id become a key of the table, which has at most 1,024 bytes. */
function readCursor({ name, isByAge }: Order, cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, order, id = '', key = ''] = /^(\w+) (\S+) (.*)$/s.exec(text) ?? [];
  const isKey = !isByAge || (Instant.safeParse(key).success && ProjectId.safeParse(id).success);
  if (order === name && isKey) return [key, id];
  const message = 'is not a cursor of this list in this order';
  throw new CodedError('INVALID_REQUEST', {
    error: `cursor: ${message}`,
    nextStep:
      'Send the `nextCursor` of the previous page with the same `sort`, or omit `cursor` for the first page.',
    details: [{ path: 'cursor', message }],
  });
}
