import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ask, file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

const names = ['index.html', 'a.css', 'b.css', 'c.css', 'd.css'];
const body = (name: string) => name.repeat(20_000);

const intents = ({ rows }: State) =>
  (rows['projects'] ?? []).filter((row) => row['sk']?.S?.startsWith('INTENT#'));

/** A moment of publishing, told from what is stored: an intent without bytes, bytes without a project, some live. */
const moments: [string, (state: State) => boolean][] = [
  ['an intent is written', (state) => intents(state).length > 0],
  ['some bytes are stored', (state) => state.keys.length > 0],
  ['half the bytes are stored', (state) => state.keys.length >= 10],
  ['the first project is live', (state) => (state.rows['sites'] ?? []).length > 0],
  ['several projects are live', (state) => (state.rows['sites'] ?? []).length > 2],
];
const rounds = [1, 2];

/** How many kills met a publish half done; without any, this file would show nothing. */
let caughtHalfDone = 0;

test.each(rounds.flatMap((round) => moments.map(([name, met]) => [name, round, met] as const)))(
  'killed when %s (round %i), it shows whole projects or none, and sweeps the rest',
  async (_, __, met) => {
    // Functions are warm, so that the uploads below are under way at once.
    await publishTo(cloud.baseUrl, [file('warm.txt')]);
    await cloud.advance(15 * 60);
    expect((await cloud.state()).keys).toEqual([]);

    const uploads = Array.from({ length: 6 }, () =>
      publishTo(
        cloud.baseUrl,
        names.map((name) => file(name, body(name))),
      ).catch(() => undefined),
    );
    for (let looks = 0; looks < 500 && !met(await cloud.state()); looks += 1);
    await cloud.kill();
    const answers = await Promise.all(uploads);
    await cloud.start();

    const after = await cloud.state();
    if (intents(after).length > 0) caughtHalfDone += 1;
    const hosts = (after.rows['sites'] ?? []).map((row) => row['host']?.S);
    await expectWhole(hosts);
    for (const answer of answers) {
      if (answer?.status === 200) expect(hosts).toContain(new URL(answer.json.data.url).hostname);
    }

    // A restart forgets what the clock was moved by: enough for whatever was dated ahead.
    await cloud.advance(2 * 3600);
    const { rows, keys } = await cloud.state();
    expect({ sites: rows['sites'], projects: rows['projects'], keys }).toEqual({
      sites: [],
      projects: [],
      keys: [],
    });
    await cloud.kill();
    await cloud.start();
  },
);

test('some of these kills met a publish half done', () => {
  expect(caughtHalfDone).toBeGreaterThan(0);
});

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
