import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ask, file, publishTo } from '../fixtures/client.ts';
import { LocalCloud } from '../fixtures/local-cloud.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

/** From just after a publish has begun to well after it has ended, on this machine or a slower one. */
const killedAfterMs = [3, 8, 15, 25, 40, 60, 90, 130, 180, 260];
const names = ['index.html', 'a.css', 'b.css', 'c.css', 'd.css'];

test.each(killedAfterMs)(
  'killed %i ms into publishes, it shows whole projects or none, and sweeps the rest',
  async (ms) => {
    const uploads = Array.from({ length: 4 }, () =>
      publishTo(
        cloud.baseUrl,
        names.map((name) => file(name, name.repeat(20_000))),
      ).catch(() => undefined),
    );
    await new Promise((resolve) => setTimeout(resolve, ms));
    await cloud.kill();
    const answers = await Promise.all(uploads);
    await cloud.start();

    const { rows } = await cloud.state();
    const hosts = (rows['sites'] ?? []).map((row) => row['host']?.S);
    const { port } = new URL(cloud.baseUrl);
    for (const host of hosts) {
      for (const name of names) {
        const answer = await ask(`http://${host}:${port}/${name}`);
        expect({ name, status: answer.status }).toEqual({ name, status: 200 });
        expect(answer.text).toBe(name.repeat(20_000));
      }
    }
    for (const answer of answers) {
      if (answer?.status === 200) expect(hosts).toContain(new URL(answer.json.data.url).hostname);
    }

    await cloud.advance(31 * 60);
    const after = await cloud.state();
    expect({ ...after.rows, counters: undefined, keys: after.keys }).toEqual({
      sites: [],
      projects: [],
      codes: [],
      counters: undefined,
      keys: [],
    });
  },
);
