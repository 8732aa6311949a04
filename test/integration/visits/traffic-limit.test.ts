import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, get, signIn } from '../../fixtures/accounts/accounts.ts';
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
