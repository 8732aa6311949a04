import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { called } from '../../fixtures/agents/mcp.ts';
import { ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';

const mebibyte = 1024 ** 2;
const limit = 24 * mebibyte;
const cloud = new LocalCloud(`plans.pro.maxBytesPerMonth=${limit}`);
let service = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
}, 600_000);
afterAll(() => cloud.remove());

test('an account whose files are another site’s assets gets mails and rests, without a single visit', async () => {
  const email = anEmail();
  const key = await signIn(email, service);
  const noise = Buffer.alloc(3 * mebibyte, 'v');
  const { url } = await created(key, {
    files: [file('index.html', '<h1>Home'), file('photo.jpg', noise)],
    service,
  });
  const hotlink = () =>
    ask(`${url}/photo.jpg?${Math.random()}`, {
      from: somebody(),
      headers: { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
    });
  const statuses = new Set<number>();
  for (let count = 0; count < 40; count += 1) {
    const { status } = await hotlink();
    statuses.add(status);
    await cloud.advance(20);
    if (status === 503) break;
  }
  const { usage, plan } = (await get('/v1/user', key, service)).json.data;
  expect(plan.limits.maxBytesPerMonth).toBe(limit);
  expect(usage.visits).toBe(0);
  expect(usage.bytes).toBeGreaterThanOrEqual(2 * limit);
  expect([...statuses].at(-1)).toBe(503);
  const inbox = await ask(`${service}/_local/mail.json?to=${encodeURIComponent(email)}`);
  expect(inbox.text).toContain('data transfer');
}, 600_000);

test('large answers to an account are counted: of the API as of tools', async () => {
  const key = await signIn(anEmail(), service);
  // Each of these characters is six bytes of JSON.
  const dense = '\u0001'.repeat(200_000);
  const names = ['a.txt', 'b.txt', 'c.txt'];
  const files = names.map((name) => file(name, dense));
  const { projectId } = await created(key, { files, service });
  const counted = async () => {
    const rows = (await cloud.state()).rows['counters'] ?? [];
    const ofAnswers = rows.filter((row) => JSON.stringify(row).includes('answered-bytes#'));
    return ofAnswers.map((row) => Number(row['events']?.N));
  };
  const read = (paths: string[]) =>
    sendWith(key, `${service}/v1/projects/${projectId}/file-texts`, { paths });
  expect((await read(['none.txt'])).status).toBe(200);
  expect(await counted()).toEqual([]);
  const { text } = await read(names);
  expect(await counted()).toEqual([Buffer.byteLength(text)]);
  await called(key, 'get_project', { projectId, readFiles: ['a.txt'] }, service);
  const [all = 0] = await counted();
  expect(all).toBeGreaterThan(Buffer.byteLength(text) + 2 * dense.length);
}, 600_000);
