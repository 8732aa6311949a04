import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { get, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { proofSize } from '../../fixtures/proof-size.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';

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

const killedAfterMs = proofSize({ short: [15, 50, 120], whole: [5, 15, 30, 50, 80, 120, 200] });
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

test.each(killedAfterMs)(
  'killed %i ms into creates and deletions, the totals equal a recount and nothing else remains',
  async (ms) => {
    await Promise.all([create(), create(), create()]);
    const before = await owned();
    const work = [...before.map(({ id }) => remove(id)), create(), create(), create()];
    const settled = Promise.allSettled(work);
    await new Promise((resolve) => setTimeout(resolve, ms));
    await cloud.kill();
    await settled;
    await cloud.resume();
    await cloud.advance(20 * 60);

    const projects = await owned();
    const { quota } = (await get('/v1/user', key, cloud.baseUrl)).json.data;
    expect(quota.projects.used).toBe(projects.length);
    expect(quota.storage.usedBytes).toBe(projects.length * bytes);
    const { rows, keys } = await cloud.state();
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
