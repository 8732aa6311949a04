import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { called } from '../../fixtures/agents/mcp.ts';
import { buildZip } from '../../fixtures/archives/zip-builder.ts';
import { ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { linked } from '../../fixtures/uploads/upload-links.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';

const mebibyte = 1024 ** 2;
const limit = 24 * mebibyte;
/** The largest that fits into a project without an account. */
const noise = Buffer.alloc(9_900_000, 'v');
const cloud = new LocalCloud(`plans.pro.maxBytesPerMonth=${limit}`);
let service = '';
beforeAll(async () => {
  ({ baseUrl: service } = await cloud.start());
}, 600_000);
afterAll(() => cloud.remove());

test('an account whose files are another site’s assets gets mails and rests, without a single visit', async () => {
  const email = anEmail();
  const key = await signIn(email, service);
  const picture = Buffer.alloc(3 * mebibyte, 'v');
  const { url } = await created(key, {
    files: [file('index.html', '<h1>Home'), file('photo.jpg', picture)],
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

test('a temporary project rests after a gigabyte; who claims it has it back, and its bytes count from then on', async () => {
  const zip = Buffer.from(
    buildZip({
      entries: [
        { name: 'index.html', content: '<h1>Home' },
        { name: 'a.bin', content: noise, method: 8 },
      ],
    }),
  );
  const { body, contentType } = aForm([{ name: 'files', filename: 'site.zip', body: zip }]);
  const headers = { 'content-type': contentType };
  const made = await ask(`${service}/v1/projects/temp`, { method: 'POST', headers, body });
  const { url, claimToken } = made.json.data;
  const { headers: found } = await ask(`${url}/a.bin`);
  const large = new URL(found.location ?? '', url).href;
  let loads = 0;
  for (; loads < 120; loads += 1) {
    if (loads % 10 === 9) await cloud.advance(5);
    if ((await ask(large, { from: somebody() })).status === 503) break;
  }
  expect(loads).toBeGreaterThanOrEqual(100);
  expect(loads).toBeLessThan(120);
  expect((await ask(`${url}/`)).text).toContain('Open your claim link');
  const key = await signIn(anEmail(), service);
  const claim = await sendWith(key, `${service}/v1/projects/claim/${claimToken}`);
  expect([claim.status, (await ask(`${url}/`)).status]).toEqual([200, 200]);
  await ask(large, { from: somebody() });
  await cloud.advance(20);
  const { usage } = (await get('/v1/user', key, service)).json.data;
  expect(usage.bytes).toBeGreaterThanOrEqual(noise.length);
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

test('an answer that a key repeats counts each time; without an account, none of that size is kept', async () => {
  const key = await signIn(anEmail(), service);
  const files = Array.from({ length: 300 }, (_, at) => ({ path: `${at}.txt`, size: 10 }));
  const { uploadUrl } = await linked(key, {}, service);
  const begin = (url: string, headers = {}) =>
    ask(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'same' },
      body: JSON.stringify({ files }),
    });
  const counted = async () => {
    const rows = (await cloud.state()).rows['counters'] ?? [];
    const ofAnswers = rows.filter((row) => JSON.stringify(row).includes('answered-bytes#'));
    return ofAnswers.reduce((sum, row) => sum + Number(row['events']?.N), 0);
  };
  const before = await counted();
  const own = { authorization: `Bearer ${key}` };
  const first = await begin(`${service}/v1/uploads`, own);
  const again = await begin(`${service}/v1/uploads`, own);
  expect([first.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  expect((await counted()) - before).toBe(2 * Buffer.byteLength(first.text));
  const guest = await begin(`${uploadUrl}/uploads`);
  const more = await begin(`${uploadUrl}/uploads`);
  expect([guest.status, more.status]).toEqual([201, 201]);
  expect(Buffer.byteLength(guest.text)).toBeGreaterThan(64 * 1024);
  expect(more.headers).not.toHaveProperty('idempotency-replayed');
}, 600_000);
