import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ask, file, publishTo } from '../../fixtures/clouds/client.ts';
import { killAt } from '../../fixtures/clouds/kill-at.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';

// Each case starts a cloud.
jest.setTimeout(600_000);

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const names = ['index.html', 'a.css', 'b.css', 'c.css', 'd.css'];
const body = (name: string) => name.repeat(8000);

const intents = ({ rows }: State) =>
  (rows['projects'] ?? []).filter((row) => row['sk']?.S?.startsWith('INTENT#'));

/**
 * Moments of publishing, recognised from stored data: an intent without bytes, bytes without a
 * project, some live.
 */
const moments: [string, (state: State) => boolean][] = [
  ['an intent is written', (state) => intents(state).length > 0],
  ['some bytes are stored', (state) => state.keys.length > 0],
  ['half the bytes are stored', (state) => state.keys.length >= 3],
  ['the first project is live', (state) => (state.rows['sites'] ?? []).length > 0],
  ['several projects are live', (state) => (state.rows['sites'] ?? []).length > 2],
];

/** The number of kills that interrupted a publish; without any, this test would prove nothing. */
let caughtHalfDone = 0;

test.each(moments)(
  'killed when %s, it serves complete projects or none, and the sweep removes the rest',
  async (_, killPoint) => {
    // As many as run at once; each is at another step when the cloud is killed.
    const files = names.map((name) => file(name, body(name)));
    const answers = await killAt(cloud, killPoint, () =>
      Array.from({ length: 4 }, () => publishTo(cloud.baseUrl, files).catch(() => undefined)),
    );
    await cloud.resume();

    const after = await cloud.state();
    if (intents(after).length > 0) caughtHalfDone += 1;
    const hosts = liveSites(after).map((row) => row['host']?.S);
    await expectWhole(hosts);
    for (const answer of answers) {
      if (answer?.status === 200) expect(hosts).toContain(new URL(answer.json.data.url).hostname);
    }

    await cloud.advance(2 * 3600);
    const { rows, keys } = await cloud.state();
    expect({ sites: liveSites({ rows }), projects: rows['projects'], keys }).toEqual({
      sites: [],
      projects: [],
      keys: [],
    });
  },
);

test('some of these kills interrupted a publish midway', () => {
  expect(caughtHalfDone).toBeGreaterThan(0);
});

/** For 90 days an address says that its project expired. */
const liveSites = ({ rows }: Pick<State, 'rows'>) =>
  (rows['sites'] ?? []).filter((row) => row['expired'] === undefined);

async function expectWhole(hosts: (string | undefined)[]): Promise<void> {
  const { port } = new URL(cloud.baseUrl);
  for (const host of hosts) {
    for (const name of names) {
      const answer = await ask(`http://${host}:${port}/${name}`);
      expect({ name, status: answer.status }).toEqual({ name, status: 200 });
      expect(answer.text).toBe(body(name));
    }
  }
}
