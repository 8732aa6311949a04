import { readCursor, writeCursor } from '../../../../core/webhooks/event-cursor.ts';
import { beforeEach, expect, test } from '@jest/globals';
import { ProjectId } from '../../../../contract/fields.ts';
import type { HitQuery } from '../../../../core/analytics/ports.ts';
import type { RecordedHit } from '../../../../core/analytics/recorded-hit.ts';
import { CodedError } from '../../../../core/errors.ts';
import { instant, plusSeconds } from '../../../../core/instants.ts';
import type { Project, Version } from '../../../../core/projects/project.ts';
import { listEvents } from '../../../../core/webhooks/list-events.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { aShareLink } from '../../../fixtures/visits/share-links.ts';
import { aRecord } from '../../../fixtures/visits/hits.ts';

let clock: Date;
let projects: Project[];
let version: Version;
let opens: RecordedHit[];
let waited: number[];
let counted: number;
let openedProjects: number;
/** Counts of everything else. */
let others: Map<string, number>;
let places: { taken: number; most: number };
let reads: { looks: number; opens: number };
/** What happens at which second of waiting. */
let later: Map<number, () => void>;

beforeEach(() => {
  clock = now;
  projects = [aProject()];
  version = aVersion();
  [opens, waited, counted, later] = [[], [], 0, new Map()];
  [others, openedProjects] = [new Map(), 1];
  places = { taken: 0, most: 2 };
  reads = { looks: 0, opens: 0 };
});

const { link } = aShareLink();

const deps = () => ({
  projects: {
    get: async (id: string) => projects.find((one) => one.id === id),
    getVersion: async () => version,
  },
  owned: {
    async *scan() {
      yield projects;
    },
  },
  hits: {
    async lastOpens(ids: readonly string[]) {
      reads.looks += 1;
      const [last] = opens;
      const total = { opens: opens.length, lastOpenedAt: last?.at ?? '' };
      return new Map(
        last === undefined
          ? []
          : ids.slice(0, openedProjects).map((id) => [id as ProjectId, total]),
      );
    },
    async newest({ from = '', limit }: HitQuery) {
      reads.opens += 1;
      const hits = opens.filter(({ at }) => at >= from).slice(0, limit);
      return { hits, readFrom: undefined };
    },
  },
  shareLinks: {
    find: async (_: string, id: string) => (id === link.id ? link : undefined),
  },
  counters: {
    async count(key: string, window: number, at: Date, events = 1) {
      if (key.startsWith('waited#')) return (counted += events);
      const inWindow = `${key} ${Math.floor(at.getTime() / 1000 / window)}`;
      const total = (others.get(inWindow) ?? 0) + events;
      others.set(inWindow, total);
      return total;
    },
    async reserve() {
      if (places.taken === places.most) {
        const rule = { limit: 2, windowSeconds: 30 };
        return { reserved: false as const, rule, retryAfterSeconds: 7, limits: [] };
      }
      places.taken += 1;
      return { reserved: true as const, limits: [] };
    },
    async release() {
      places.taken -= 1;
    },
  },
  addresses: { siteUrl: (host: string) => `https://${host}` },
  waits: { of: 'events' as const, secondsPerDay: 100 },
  async sleep(milliseconds: number) {
    waited.push(milliseconds / 1000);
    clock = plusSeconds(clock, milliseconds / 1000);
    const total = waited.reduce((sum, one) => sum + one, 0);
    for (const [at, happen] of later) {
      if (at > total) continue;
      later.delete(at);
      happen();
    }
  },
  now: () => clock,
});

const list = (input = {}, caller: Parameters<typeof listEvents>[1] = aCaller()) =>
  listEvents(deps(), caller, { wait: 0, ...input });
const at = (seconds: number) => instant(plusSeconds(now, seconds));
const open = (seconds: number, id = `open-${seconds}`, changes = {}) => {
  const hit = aRecord({ id, at: at(seconds), kind: 'open', reason: null, ...changes });
  opens = [hit, ...opens].toSorted((a, b) => (a.at < b.at ? 1 : -1));
};
const publish = (seconds: number, number = 2) => {
  projects = projects.map((one) => ({ ...one, version: number, publishedAt: at(seconds) }));
};
const typesOf = ({ events }: { events: { type: string }[] }) => events.map(({ type }) => type);
const refusal = (code: string) => expect.objectContaining({ code });

test('without a cursor, what happened before is left out; the first open is also an event of its own', async () => {
  open(-5);
  const start = await list();
  expect(start.events).toEqual([]);
  opens = [];
  clock = plusSeconds(now, 30);
  open(10, 'first', { country: 'NO', link: { id: 'l', name: 'Anna' } });
  open(12);
  publish(11);
  const { events, nextCursor } = await list({ after: start.nextCursor });
  expect(typesOf({ events })).toEqual([
    'project.first_opened',
    'project.opened',
    'version.published',
    'project.opened',
  ]);
  expect(events[1]).toMatchObject({
    timestamp: at(10),
    data: {
      projectId: projects[0]?.id,
      title: 'Harbour',
      url: 'https://harbour.sites.test',
      opens: 1,
      recentOpens: [{ at: at(10), country: 'NO', link: 'Anna' }],
    },
  });
  expect(new Set(events.map(({ id }) => id)).size).toBe(4);
  expect((await list({ after: nextCursor })).events).toEqual([]);
});

test('an open that is counted late comes once, and so does everything around it', async () => {
  open(-300);
  const start = await list();
  clock = plusSeconds(now, 30);
  open(20);
  const first = await list({ after: start.nextCursor });
  expect(typesOf(first)).toEqual(['project.opened']);
  open(10);
  clock = plusSeconds(now, 100);
  const second = await list({ after: first.nextCursor });
  expect(second.events).toMatchObject([{ timestamp: at(10) }]);
  clock = plusSeconds(now, 600);
  const third = await list({ after: second.nextCursor });
  expect(third.events).toEqual([]);
  expect(third.nextCursor.length).toBeLessThan(first.nextCursor.length);
});

test('more events than an answer holds come in the next ones, each once', async () => {
  open(-300);
  const { nextCursor } = await list();
  for (let second = 1; second <= 150; second += 1) open(second);
  clock = plusSeconds(now, 151);
  const first = await list({ after: nextCursor });
  const second = await list({ after: first.nextCursor });
  const third = await list({ after: second.nextCursor });
  expect([first, second, third].map(({ events }) => events.length)).toEqual([100, 50, 0]);
  const all = [...first.events, ...second.events];
  expect(all.map(({ timestamp }) => timestamp)).toEqual(
    Array.from({ length: 150 }, (_, index) => at(index + 1)),
  );
  expect(first.nextCursor.length).toBeLessThanOrEqual(700);
});

test('files by an upload link, and an earlier version that is live again', async () => {
  const { nextCursor } = await list();
  publish(1, 3);
  version = aVersion({
    version: 3,
    createdAt: at(1),
    publishedBy: { kind: 'link', id: null, name: 'Photos' },
  });
  clock = plusSeconds(now, 2);
  const sent = await list({ after: nextCursor });
  expect(sent.events).toMatchObject([
    { type: 'upload.received', data: { version: 3 } },
    { type: 'version.published', data: { version: 3, publishedBy: { kind: 'link' } } },
  ]);
  publish(2, 1);
  const back = await list({ after: sent.nextCursor });
  expect(back.events).toMatchObject([{ type: 'version.published', data: { version: 1 } }]);
  expect(back.events[0]?.data).not.toHaveProperty('publishedBy');
});

test('waiting looks seldom, counts its seconds, and ends with the first event', async () => {
  later.set(9, () => open(8));
  const { events } = await list({ wait: 25 });
  expect(typesOf({ events })).toEqual(['project.first_opened', 'project.opened']);
  expect(waited).toEqual([2, 3, 5]);
  expect(counted).toBe(10);
  expect(reads).toEqual({ looks: 4, opens: 1 });
  expect(places.taken).toBe(0);
});

test('whoever waited gets events only while the credential lasts, which is checked once', async () => {
  let checks = 0;
  const caller = { ...aCaller(), authenticateAgain: async () => void (checks += 1) };
  later.set(6, () => publish(6));
  expect(typesOf(await list({ wait: 25 }, caller))).toEqual(['version.published']);
  expect(checks).toBe(1);
  later.set(16, () => publish(16, 3));
  const ended = async () => {
    throw new CodedError('API_KEY_INVALID', { error: 'No.' });
  };
  await expect(
    list({ wait: 25, after: (await list()).nextCursor }, { ...caller, authenticateAgain: ended }),
  ).rejects.toEqual(refusal('API_KEY_INVALID'));
});

test('waiting ends without events, after seven looks at most', async () => {
  open(-60);
  expect(typesOf(await list({ wait: 25 }))).toEqual([]);
  expect(waited).toEqual([2, 3, 5, 5, 5, 5]);
  expect(reads).toEqual({ looks: 7, opens: 1 });
  waited = [];
  await list({ wait: 1 });
  expect(waited).toEqual([1]);
});

test('an account waits in two requests at once, and for so many seconds in a day', async () => {
  places.taken = 2;
  await expect(list({ wait: 5 })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect((await list()).events).toEqual([]);
  places.taken = 1;
  counted = 96;
  await expect(list({ wait: 25 })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect(places.taken).toBe(1);
});

test.each([
  ['type', { type: 'version.published' }, ['version.published']],
  ['type', { type: 'project.opened' }, ['project.opened', 'project.opened']],
  ['type', { type: 'project.first_opened' }, ['project.first_opened']],
  ['link', { linkId: link.id }, ['project.opened']],
])('by %s %j', async (_, query, types) => {
  const { nextCursor } = await list();
  open(1);
  open(2, 'second', { link });
  publish(3);
  clock = plusSeconds(now, 4);
  const projectId = aProject().id;
  expect(typesOf(await list({ after: nextCursor, projectId, ...query }))).toEqual(types);
});

test('for a key of some projects, only those exist', async () => {
  const other = aProject({ id: ProjectId.parse('2f1a6f0c-9a11-4c39-9d0e-0b7e4c1a5f60') });
  projects = [...projects, other];
  const { nextCursor } = await list();
  publish(1);
  clock = plusSeconds(now, 2);
  const caller = { ...aCaller(), projectIds: [other.id] };
  const { events } = await list({ after: nextCursor }, caller);
  expect(events.map(({ data }) => data.projectId)).toEqual([other.id]);
  const refused = list({ projectId: aProject().id }, caller);
  await expect(refused).rejects.toEqual(refusal('NOT_FOUND'));
  projects = projects.map((one) => ({ ...one, ownerId: null }));
  expect((await list({ after: nextCursor }, caller)).events).toEqual([]);
});

test.each([
  ['a cursor of another list', { after: 'eyJhIjoxfQ==' }],
  ['an empty cursor', { after: '' }],
  ['a cursor that is cut off', { after: 'mk3v5k9c.Xn1a' }],
  ['a link without its project', { linkId: link.id }],
])('refuses %s', async (_, input) => {
  await expect(list(input)).rejects.toEqual(refusal('INVALID_REQUEST'));
});

test.each(['Xn1aN5RLyVd0Kq8b', 'Anna'])(
  'a link %s that does not exist is not waited for',
  async (linkId) => {
    const waiting = list({ projectId: aProject().id, linkId, wait: 25 });
    await expect(waiting).rejects.toEqual(refusal('NOT_FOUND'));
    expect(waited).toEqual([]);
  },
);

test('an account with more than a hundred projects names one', async () => {
  projects = Array.from({ length: 101 }, () => aProject());
  await expect(list()).rejects.toEqual(refusal('INVALID_REQUEST'));
  expect((await list({ projectId: aProject().id })).events).toEqual([]);
});

test('a listener who was away for an hour misses none of many events', () => {
  const at = (seconds: number) => plusSeconds(now, seconds);
  const from = at(-3600);
  const had = new Map(Array.from({ length: 100 }, (_, index) => [`e${10_000 + index}`, at(-3000)]));
  const heldBackAt = at(-2999);
  const cursor = writeCursor({ from, seen: new Set() }, had, { now, heldBackAt });
  expect(readCursor(cursor, now).from.getTime()).toBeLessThanOrEqual(heldBackAt.getTime());
  const after = writeCursor({ from, seen: new Set() }, had, { now });
  expect(readCursor(after, now)).toEqual({ from: at(-120), seen: new Set() });
});

test('opens that are read again and again are counted, a long list as several reads', async () => {
  for (let second = 0; second < 200; second += 1) open(second);
  clock = plusSeconds(now, 300);
  const fromTheStart = { after: '0.' };
  expect((await list(fromTheStart)).events).toHaveLength(100);
  expect([...others.values()]).toEqual([1 + 9]);
  for (let looks = 1; looks < 1000; looks += 1) await list(fromTheStart);
  const { opens: before } = reads;
  await expect(list(fromTheStart)).rejects.toThrow(refusal('RATE_LIMITED'));
  expect(reads.opens).toBe(before);
});

test('opens of many projects are read in the places of those that wait', async () => {
  const ids = Array.from({ length: 6 }, (_, at) => `2f1a6f0c-9a11-4c39-9d0e-0b7e4c1a5f6${at}`);
  projects = ids.map((id) => aProject({ id: ProjectId.parse(id) }));
  openedProjects = 5;
  open(1);
  clock = plusSeconds(now, 5);
  places.taken = places.most;
  expect((await list({ after: '0.' })).events).not.toEqual([]);
  openedProjects = 6;
  await expect(list({ after: '0.' })).rejects.toThrow(refusal('RATE_LIMITED'));
  places.taken = 0;
  expect((await list({ after: '0.' })).events).not.toEqual([]);
  expect(places.taken).toBe(0);
  // A request that waits has its place already.
  places.most = 1;
  openedProjects = 0;
  later.set(2, () => (openedProjects = 6));
  expect((await list({ after: '0.', wait: 25 })).events).not.toEqual([]);
});

test('of one address five requests wait at once, whatever their accounts', async () => {
  places.most = 100;
  const ended = await Promise.allSettled(Array.from({ length: 6 }, () => list({ wait: 25 })));
  expect(ended.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: refusal('RATE_LIMITED') },
  ]);
  expect(await list({ wait: 25 }).catch(() => 'refused')).not.toBe('refused');
});
