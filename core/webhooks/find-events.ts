import { createHash } from 'node:crypto';
import type { ProjectId } from '../../contract/fields.ts';
import type { ListedEvent } from '../../contract/operations/events.ts';
import type { HitReader, LastOpens } from '../analytics/ports.ts';
import { describeHit } from '../analytics/project-opens.ts';
import type { RecordedHit } from '../analytics/recorded-hit.ts';
import type { AccountCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { countAttempt, type Counters } from '../limits/counters.ts';
import type { ProjectStore } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { type OwnedProjectStore, requireOwnedProject } from '../projects/owned-projects.ts';
import type { Project } from '../projects/project.ts';
import { type EventCursor, eventIdLength, lateSeconds } from './event-cursor.ts';

/** Where events are found: nothing is written for those who listen. */
export interface EventSources {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  owned: Pick<OwnedProjectStore, 'scan'>;
  hits: Pick<HitReader, 'newest'> & LastOpens;
  addresses: Pick<Addresses, 'siteUrl'>;
  counters: Pick<Counters, 'count'>;
  now(): Date;
}

/** Which events. */
export interface EventQuery {
  projectId?: string | undefined;
  /** Opens by this share link alone. */
  linkId?: string | undefined;
  type?: ListedEvent | undefined;
}

interface ProjectEvent {
  id: string;
  type: ListedEvent;
  at: Date;
  data: {
    title: string;
    url: string;
    projectId: ProjectId;
    /** Of an open. */
    recentOpens?: ReturnType<typeof describeHit>[];
    [field: string]: unknown;
  };
}

/** What a look found. */
export interface FoundEvents {
  /** New ones, oldest first. */
  events: ProjectEvent[];
  /** The time of each event that the listener has with these, by its id. */
  had: ReadonlyMap<string, Date>;
  /** When the first one happened that is beyond the limit. */
  heldBackAt: Date | undefined;
}

/** Projects that one request looks at: each look reads a row for each. */
const maxProjects = 100;
const maxEvents = 100;
/** The newest opens of a project that a look reads. A minute with more of them is in several partitions. */
const maxOpens = 199;

/**
 * Reads of opens of one account in an hour. A cursor of somebody's own making, or of a listener who was away, makes a
 * look read all opens again, so a long list counts as several reads.
 */
const readsPerHour = { limit: 10_000, windowSeconds: 3600 };
const opensInOneRead = 20;
/** Opens of more projects are read in eight partitions each, which holds a function for a while. */
const projectsReadAtOnce = 5;

/** Runs work that holds a function for a while, in one of the few places for it. */
export type InPlace = <T>(work: () => Promise<T>) => Promise<T>;

/** Looks for new events; what was read of opens is not read again while their number is the same. */
export function looker(
  deps: EventSources,
  caller: AccountCaller,
  { projectId, linkId, type }: EventQuery,
  { cursor, inPlace }: { cursor: EventCursor; inPlace: InPlace },
): () => Promise<FoundEvents> {
  const isAbout = (subject: string) => type === undefined || type.startsWith(subject);
  const wantsOpens = linkId !== undefined || isAbout('project.');
  const wantsVersions = linkId === undefined && (isAbout('version.') || isAbout('upload.'));
  const opensRead = new Map<ProjectId, number>();
  const had = new Map<string, Date>();
  return async () => {
    const projects = await projectsHeard(deps, caller, projectId);
    const found = await Promise.all([
      ...(wantsVersions ? projects : []).map((one) => publishedEvents(deps, one, cursor)),
      wantsOpens ? openEvents(deps, caller, { projects, cursor, linkId, opensRead, inPlace }) : [],
    ]);
    const wanted = found
      .flat()
      .filter((event) => type === undefined || event.type === type)
      .toSorted((a, b) => a.at.getTime() - b.at.getTime());
    for (const { id, at } of wanted) if (cursor.seen.has(id)) had.set(id, at);
    const fresh = wanted.filter(({ id }) => !cursor.seen.has(id));
    const events = fresh.slice(0, maxEvents);
    for (const { id, at } of events) had.set(id, at);
    return { events, had, heldBackAt: fresh[maxEvents]?.at };
  };
}

/**
 * The projects whose events exist for the caller.
 * @throws CodedError NOT_FOUND, INVALID_REQUEST
 */
async function projectsHeard(
  { projects, owned }: Pick<EventSources, 'projects' | 'owned'>,
  caller: AccountCaller,
  projectId: string | undefined,
): Promise<Project[]> {
  if (projectId !== undefined) return [await requireOwnedProject(projects, caller, projectId)];
  const accountId = caller.account.id;
  if (caller.projectIds !== undefined) {
    const all = await Promise.all(caller.projectIds.map((id) => projects.get(id)));
    return all.filter((one) => one?.ownerId === accountId).filter((one) => one !== undefined);
  }
  const scan = { accountId, state: 'active', isNewestFirst: true, after: undefined } as const;
  const found: Project[] = [];
  for await (const page of owned.scan({ ...scan, pageSize: maxProjects + 1 })) {
    found.push(...page);
    if (found.length > maxProjects) throw tooManyProjects();
  }
  return found;
}

function tooManyProjects(): CodedError {
  return new CodedError('INVALID_REQUEST', {
    error: `projectId: your account has more than ${maxProjects} projects.`,
    nextStep: 'Name one project with `projectId`, or create a webhook for all of them.',
    details: [{ path: 'projectId', message: 'is required for so many projects' }],
  });
}

/** That the live version became live since the cursor. Of several in between, the last. */
async function publishedEvents(
  deps: Pick<EventSources, 'projects' | 'addresses'>,
  project: Project,
  { from, seen }: EventCursor,
): Promise<ProjectEvent[]> {
  const { id, version, publishedAt } = project;
  if (version === 0 || new Date(publishedAt) < from) return [];
  const name = `${publishedAt} ${version}`;
  const event = (type: ListedEvent, more: object) =>
    eventOf(deps, project, { type, at: publishedAt, name, more: { version, ...more } });
  const published = event('version.published', {});
  const received = event('upload.received', {});
  if (seen.has(published.id)) return seen.has(received.id) ? [received, published] : [published];
  const stored = await deps.projects.getVersion(id, version);
  // An earlier version that became live again was published by somebody else, at another time.
  if (stored?.createdAt !== publishedAt) return [published];
  const { kind, name: publisher } = stored.publishedBy;
  return [
    ...(kind === 'link' ? [received] : []),
    event('version.published', { publishedBy: { kind, name: publisher } }),
  ];
}

/**
 * The opens since the cursor, of projects that were opened since then.
 * @throws CodedError RATE_LIMITED
 */
async function openEvents(
  deps: Pick<EventSources, 'hits' | 'addresses' | 'counters' | 'now'>,
  caller: AccountCaller,
  {
    projects,
    cursor: { from },
    linkId,
    opensRead,
    inPlace,
  }: {
    projects: readonly Project[];
    cursor: EventCursor;
    linkId: string | undefined;
    opensRead: Map<ProjectId, number>;
    inPlace: InPlace;
  },
): Promise<ProjectEvent[]> {
  const totals = await deps.hits.lastOpens(projects.map(({ id }) => id));
  const opened = projects.flatMap((project) => {
    const total = totals.get(project.id);
    // A late open may set the time of the last one back a little.
    if (total === undefined || new Date(total.lastOpenedAt) < plusSeconds(from, -lateSeconds))
      return [];
    return opensRead.get(project.id) === total.opens ? [] : [{ project, opens: total.opens }];
  });
  const read = () => readOpens(deps, opened, from);
  await countReads(deps, caller, opened.length);
  const found = await (opened.length > projectsReadAtOnce ? inPlace(read) : read());
  for (const { project, opens } of opened) opensRead.set(project.id, opens);
  const more = found.map(({ hits }) => Math.floor(hits.length / opensInOneRead));
  const total = more.reduce((sum, one) => sum + one, 0);
  await countReads(deps, caller, total);
  return found.flatMap(({ project, hits, isAll }) =>
    hits.flatMap((hit, index) => {
      if (linkId !== undefined && hit.link?.id !== linkId) return [];
      const isFirst = isAll && index === hits.length - 1;
      return eventsOfOpen(deps, project, { hit, isFirst });
    }),
  );
}

/** The opens of projects since `from`, and whether these are all that each of them ever had. */
function readOpens(
  { hits: reader }: Pick<EventSources, 'hits'>,
  opened: readonly { project: Project; opens: number }[],
  from: Date,
) {
  const since = { kind: 'open', before: '~', from: instant(from), limit: maxOpens } as const;
  return Promise.all(
    opened.map(async ({ project, opens }) => {
      const query = { projectId: project.id, ...since, pageBlocks: 25 };
      const { hits, readFrom } = await reader.newest(query);
      return { project, hits, isAll: readFrom === undefined && hits.length >= opens };
    }),
  );
}

async function countReads(
  { counters, now }: Pick<EventSources, 'counters' | 'now'>,
  caller: AccountCaller,
  events: number,
) {
  if (events === 0) return;
  const key = `events-read#${caller.account.id}`;
  const what = 'reads of opens for the events of one account';
  await countAttempt(counters, caller, { key, rule: readsPerHour, what, events }, now());
}

function eventsOfOpen(
  deps: Pick<EventSources, 'addresses'>,
  project: Project,
  { hit, isFirst }: { hit: RecordedHit; isFirst: boolean },
): ProjectEvent[] {
  const open = describeHit(hit);
  const event = (type: ListedEvent, more: object) =>
    eventOf(deps, project, { type, at: hit.at, name: hit.id, more });
  return [
    ...(isFirst ? [event('project.first_opened', { open })] : []),
    event('project.opened', { opens: 1, recentOpens: [open] }),
  ];
}

function eventOf(
  { addresses }: Pick<EventSources, 'addresses'>,
  { id: projectId, title, host }: Project,
  { type, at, name, more }: { type: ListedEvent; at: string; name: string; more: object },
): ProjectEvent {
  const id = createHash('sha256').update(`${type} ${projectId} ${name}`).digest('base64url');
  return {
    id: id.slice(0, eventIdLength),
    type,
    at: new Date(at),
    data: { title, url: addresses.siteUrl(host), projectId, ...more },
  };
}
