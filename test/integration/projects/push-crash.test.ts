import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { killAt } from '../../fixtures/clouds/kill-at.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';
import { called } from '../../fixtures/agents/mcp.ts';
import { created, usage } from '../../fixtures/projects/projects.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { history, push, pushed, rollBack } from '../../fixtures/projects/versions.ts';
import { storedTotals } from '../../fixtures/clouds/stored-changes.ts';

// Each case starts a cloud.
jest.setTimeout(600_000);

const cloud = new LocalCloud();
let key = '';
/** Every second one is merged, the others are pushed. */
const siteCount = 4;
const sites: { projectId: string; host: string }[] = [];

const changing = Array.from({ length: 10 }, (_, index) => `page-${index}.html`);
const staying = ['index.html', 'style.css'];
/** What stays is more than half of the first version, so that each later one shows its pack. */
const bodyOf = (name: string, marker: string) =>
  staying.includes(name) ? `${name};`.repeat(6000) : `${name} ${marker};`.repeat(300);
const filesOf = (marker: string) =>
  [...staying, ...changing].map((name) => file(name, bodyOf(name, marker)));
const bytesOf = (marker: string) =>
  [...staying, ...changing].reduce((sum, name) => sum + bodyOf(name, marker).length, 0);

beforeAll(async () => {
  await cloud.start();
  const service = cloud.baseUrl;
  key = await signIn(undefined, service);
  for (let count = 0; count < siteCount; count += 1) {
    const { projectId, url } = await created(key, { files: filesOf('first'), service });
    sites.push({ projectId, host: new URL(url).hostname });
  }
}, 600_000);
afterAll(() => cloud.remove());

const intents = ({ rows }: State) =>
  (rows['projects'] ?? []).filter((row) => row['sk']?.S?.startsWith('INTENT#'));

interface Way {
  /** Starts the function that `send` needs, so that the next call begins immediately. */
  warm: (projectId: string) => Promise<unknown>;
  send: (projectId: string, marker: string) => Promise<{ status: number }>;
}

/** Everything pushed anew, or what differs merged by an agent. */
const ways: Record<string, Way> = {
  push: {
    warm: (projectId) => history(key, projectId, cloud.baseUrl),
    send: (projectId, marker) => push(key, projectId, filesOf(marker), { service: cloud.baseUrl }),
  },
  merge: {
    warm: () => called(key, 'get_account', {}, cloud.baseUrl),
    send: async (projectId, marker) => {
      const files = changing.map((path) => ({ path, content: bodyOf(path, marker) }));
      await called(key, 'update_project_files', { projectId, files }, cloud.baseUrl);
      return { status: 200 };
    },
  },
};
const wayOf = (at: number) => Object.keys(ways)[at % 2] ?? '';

/** Works on all sites at once, each in its way. */
const onEach = <T>(work: (way: Way, projectId: string) => Promise<T>) =>
  sites.map(({ projectId }, at) => {
    const way = ways[wayOf(at)];
    if (way === undefined) throw new Error('no way');
    return work(way, projectId);
  });

/** The content of each site before the pushes of a round. */
const live = Array.from({ length: siteCount }, () => 'first');
/** The kinds of changes that a kill interrupted; without any, this test would prove nothing. */
const caughtHalfDone = new Set<string>();

const added = (before: State, state: State) => state.keys.length - before.keys.length;
const moments: [string, (before: State, state: State) => boolean][] = [
  ['intents are written', (_, state) => intents(state).length > 0],
  ['some bytes are stored', (before, state) => added(before, state) > 0],
  ['most bytes are stored', (before, state) => added(before, state) >= siteCount - 1],
  ['all bytes are stored', (before, state) => added(before, state) >= siteCount],
  ['one is live', (_, state) => versions(state) > 0],
];
let known = 0;
/** Version rows beside those that were there when the round began. */
const versions = ({ rows }: State) => countVersions(rows) - known;
const countVersions = (rows: State['rows']) =>
  (rows['projects'] ?? []).filter((row) => row['sk']?.S?.startsWith('VERSION#')).length;

/** A short proof kills at every second moment. */
const isProved = proofSize({ short: (at: number) => at % 2 === 0, whole: () => true });

test.each(moments.filter((_, at) => isProved(at)))(
  'killed when %s, each site is exactly its old or its new version, and nothing else remains',
  async (name, killPoint) => {
    await Promise.all(onEach(({ warm }, projectId) => warm(projectId)));
    const before = await cloud.state();
    known = countVersions(before.rows);
    const answers = await killAt(
      cloud,
      (state) => killPoint(before, state),
      () => onEach(({ send }, projectId) => send(projectId, name).catch(() => undefined)),
    );
    await cloud.resume();
    const left = intents(await cloud.state());
    for (const [at, { projectId }] of sites.entries()) {
      if (left.some((row) => row['pk']?.S?.includes(projectId))) caughtHalfDone.add(wayOf(at));
    }

    // One after another, as only concurrent visits start more than one gate.
    for (const at of sites.keys()) live[at] = await expectWhole(at, name, answers[at]);
    await cloud.advance(3 * 3600);
    await cloud.maintain();
    for (const [at, shown] of live.entries()) {
      expect(await expectWhole(at, name)).toBe(shown);
    }
    await expectNothingElse();
  },
);

/** The version that a site shows, which is the one before or the pushed one, in every file. */
async function expectWhole(at: number, pushedMarker: string, answer?: { status: number }) {
  const { port } = new URL(cloud.baseUrl);
  const read = async (name: string) =>
    (await ask(`http://${sites[at]?.host}:${port}/${name}`)).text;
  const [one = '', ...others] = changing;
  const first = await read(one);
  const shown = first === bodyOf(one, pushedMarker) ? pushedMarker : live[at];
  expect(first === bodyOf(one, shown ?? '')).toBe(true);
  for (const name of [...staying, ...others]) {
    expect({ name, same: (await read(name)) === bodyOf(name, shown ?? '') }).toEqual({
      name,
      same: true,
    });
  }
  if (answer?.status === 200) expect(shown).toBe(pushedMarker);
  return shown ?? '';
}

/**
 * Checks that totals equal the live versions, and that every row and object belongs to a kept
 * version.
 */
async function expectNothingElse(): Promise<void> {
  const bytes = live.reduce((sum, marker) => sum + bytesOf(marker), 0);
  const state = await cloud.state();
  expect(storedTotals(state)).toEqual({ projects: sites.length, bytes });
  const { rows, keys } = state;
  const kinds = (rows['projects'] ?? []).map((row) => row['sk']?.S?.split('#')[0]);
  expect(new Set(kinds)).toEqual(new Set(['META', 'VERSION']));
  // One pack for each version: of all files for the first, and of what changed for the others.
  expect(keys.filter((stored) => !/\/p[0-9a-f]{24}-\d+$/.test(stored))).toEqual([]);
  expect(keys).toHaveLength(countVersions(rows));
}

test('roll back works to every complete earlier version', async () => {
  for (const [at, { projectId }] of sites.entries()) {
    const kept = await history(key, projectId, cloud.baseUrl);
    expect(kept[0]).toBe(`${kept.length} active`);
    expect((await rollBack(key, projectId, 1, cloud.baseUrl)).status).toBe(200);
    live[at] = 'first';
    await expectWhole(at, 'first');
  }
  const bytes = bytesOf('first') * sites.length;
  expect(await usage(key, cloud.baseUrl)).toEqual({ projects: sites.length, bytes });
  const [{ projectId } = { projectId: '' }] = sites;
  const next = (await history(key, projectId, cloud.baseUrl)).length + 1;
  const service = cloud.baseUrl;
  expect(await pushed(key, projectId, filesOf('last'), { service })).toBe(`dep_v${next}`);
});

test('some of these kills interrupted a push midway, and some a merge', () => {
  expect([...caughtHalfDone].toSorted()).toEqual(Object.keys(ways).toSorted());
});
