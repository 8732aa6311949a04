import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { killAt } from '../../fixtures/clouds/kill-at.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';
import { usage } from '../../fixtures/projects/projects.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { storedTotals } from '../../fixtures/clouds/stored-changes.ts';

// Each case starts a cloud.
jest.setTimeout(600_000);

/** Deleted projects are removed immediately, so that a kill can interrupt the removal. */
const cloud = new LocalCloud('deletedKeptDays=0');
let key: string;
beforeAll(async () => {
  await cloud.start();
  key = await signIn(undefined, cloud.baseUrl);
});
afterAll(() => cloud.remove());

const names = ['index.html', 'a.css', 'b.css', 'c.css'];
const bytes = names.join('').length * 1000;

function create(): Promise<Answer> {
  const files = names.map((name) => file(name, name.repeat(1000)));
  const form = aForm([{ name: 'title', body: 'Crash' }, ...files]);
  return ask(`${cloud.baseUrl}/v1/projects`, {
    method: 'POST',
    headers: { 'content-type': form.contentType, authorization: `Bearer ${key}` },
    body: form.body,
  });
}

function remove(id: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  return ask(`${cloud.baseUrl}/v1/projects/${id}`, { method: 'DELETE', headers });
}

async function owned(): Promise<{ id: string; url: string }[]> {
  return (await get('/v1/projects', key, cloud.baseUrl)).json.data.projects;
}

const begun = ({ rows }: State) =>
  (rows['projects'] ?? []).filter((row) => row['sk']?.S?.startsWith('INTENT#'));
const removed = ({ rows }: State) =>
  (rows['projects'] ?? []).filter((row) => row['removingAt'] !== undefined);

/** Moments of creates and deletions, recognised from stored data. */
const moments: [string, (state: State, before: State) => boolean][] = [
  ['a create has begun', (state) => begun(state).length > 0],
  ['a deletion has begun', (state) => removed(state).length > 0],
  ['new bytes are stored', ({ keys }, before) => keys.some((one) => !before.keys.includes(one))],
  [
    'former bytes are removed',
    ({ keys }, before) => before.keys.some((one) => !keys.includes(one)),
  ],
];
/** What the kills interrupted; without any, this test would prove nothing. */
const caughtHalfDone = new Set<string>();

test.each(moments)(
  'killed when %s, the totals equal a recount and nothing else remains',
  async (_, killPoint) => {
    await Promise.all([create(), create(), create()]);
    const ids = (await owned()).map(({ id }) => id);
    const before = await cloud.state();
    await killAt(
      cloud,
      (state) => killPoint(state, before),
      () =>
        [...ids.map(remove), create(), create(), create()].map((one) => one.catch(() => undefined)),
    );
    await cloud.resume();
    const left = await cloud.state();
    if (begun(left).length > 0) caughtHalfDone.add('create');
    if (removed(left).length > 0) caughtHalfDone.add('deletion');
    await cloud.advance(20 * 60);

    const projects = await owned();
    const state = await cloud.state();
    const totals = { projects: projects.length, bytes: projects.length * bytes };
    expect(storedTotals(state)).toEqual(totals);
    const { rows, keys } = state;
    // One pack each.
    expect(keys).toHaveLength(projects.length);
    // Addresses that were left stay with the account.
    const serving = rows['sites']?.filter((row) => row['heldFor'] === undefined);
    expect(serving).toHaveLength(projects.length);
    // A project's own row and its version's.
    expect(rows['projects']).toHaveLength(projects.length * 2);
    for (const { url } of projects) {
      const { port } = new URL(cloud.baseUrl);
      const answer = await ask(`http://${new URL(url).hostname}:${port}/`);
      expect(answer.text).toBe('index.html'.repeat(1000));
    }
    await Promise.all(projects.map(({ id }) => remove(id)));
  },
);

test('some of these kills interrupted a create midway, and some a deletion', () => {
  expect([...caughtHalfDone].toSorted()).toEqual(['create', 'deletion']);
});

test('then the account shows that nothing is left', async () => {
  expect(await usage(key, cloud.baseUrl)).toEqual({ projects: 0, bytes: 0 });
});
