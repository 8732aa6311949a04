import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anEmail, codeSentTo, post, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file, somebody } from '../../fixtures/clouds/client.ts';
import { killAt } from '../../fixtures/clouds/kill-at.ts';
import { LocalCloud, type State } from '../../fixtures/clouds/local-cloud.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { expectNoSite, remove, temporary, usage } from '../../fixtures/projects/projects.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const cloud = new LocalCloud();
let apiKey: string;
beforeAll(async () => {
  await cloud.start();
  apiKey = await signIn(anEmail(), cloud.baseUrl);
});
afterAll(() => cloud.remove());

interface Sent {
  key?: string;
  title?: string;
  text?: string;
  name?: string;
  as?: string;
}

/** Creates a project; every form has a boundary of its own. */
function create({ key = randomUUID(), title = 'Once', text = 'x', name = 'a.txt', as }: Sent = {}) {
  const parts = [{ name: 'title', body: title }, file(name, text)];
  const { body, contentType } = aForm(parts, `boundary-${randomUUID()}`);
  const headers = {
    'content-type': contentType,
    authorization: `Bearer ${as ?? apiKey}`,
    'idempotency-key': key,
  };
  return ask(`${cloud.baseUrl}/v1/projects`, { method: 'POST', headers, body });
}

function publishTemp(from: string, key: string, text = 'x') {
  const { body, contentType } = aForm([file('a.txt', text)]);
  const headers = { 'content-type': contentType, 'idempotency-key': key };
  const url = `${cloud.baseUrl}/v1/projects/temp`;
  return ask(url, { method: 'POST', headers, body, from });
}

const times = (count: number, make: () => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, make));
const replayed = ({ headers }: Answer) => headers['idempotency-replayed'] === 'true';

describe('POST /v1/projects with one key', () => {
  test('ten in parallel create one project and get ten equal responses', async () => {
    const key = randomUUID();
    const before = await usage(apiKey, cloud.baseUrl);
    const answers = await times(10, () => create({ key }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(replayed)).toHaveLength(9);
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(10);
    const after = await usage(apiKey, cloud.baseUrl);
    expect(after.projects - before.projects).toBe(1);
  });

  test('gets the same response after a restart', async () => {
    const key = randomUUID();
    const first = await create({ key });
    await cloud.kill();
    await cloud.start();
    const again = await create({ key });
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, true]);
  });

  test('the caller is authenticated first, so that an invalid API key gets nothing', async () => {
    const key = randomUUID();
    await create({ key });
    expectRefusal(await create({ key, as: `${apiKey}x` }), 401, 'API_KEY_INVALID');
  });

  test.each(['', ' ', 'a b', 'é', 'x'.repeat(256)])('%j is not a valid key', async (key) => {
    const answer = await create({ key });
    expectRefusal(answer, 400, 'INVALID_REQUEST');
    expect(answer.json.details).toEqual([
      { path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' },
    ]);
  });

  test('the response is replayed after the project was deleted', async () => {
    const key = randomUUID();
    const first = await create({ key });
    const { projectId, url } = first.json.data;
    expect((await remove(apiKey, projectId, cloud.baseUrl)).status).toBe(200);
    expect((await create({ key })).text).toBe(first.text);
    await expectNoSite(url);
  });
});

describe('other writes', () => {
  test('temporary uploads: ten in parallel count once, with the same token', async () => {
    const from = somebody();
    const key = randomUUID();
    const answers = await times(10, () => publishTemp(from, key));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const more = await times(3, () => publishTemp(from, randomUUID()));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  test('a sign-in: its retry gets the same API key, which is stored nowhere', async () => {
    const [email, from, key] = [anEmail(), somebody(), randomUUID()];
    await post('/v1/auth/otp/request', { email }, { service: cloud.baseUrl });
    const code = await codeSentTo(email, cloud.baseUrl);
    const verify = () =>
      post(
        '/v1/auth/otp/verify',
        { email, code },
        { service: cloud.baseUrl, from, headers: { 'idempotency-key': key } },
      );
    const first = await verify();
    const again = await verify();
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, true]);
    const { rows } = await cloud.state();
    const stored = JSON.stringify(rows);
    expect(stored).toContain('idempotency#');
    for (const secret of [first.json.data.apiKey, key]) expect(stored).not.toContain(secret);
  });

  test('a claim and a deletion repeat their responses', async () => {
    const { claimToken, projectId } = await temporary(undefined, cloud.baseUrl);
    const send = (method: string, path: string, key: string) =>
      ask(`${cloud.baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': key },
      });
    for (const [method, path] of [
      ['POST', `/v1/projects/claim/${claimToken}`],
      ['DELETE', `/v1/projects/${projectId}`],
    ] as const) {
      const key = randomUUID();
      const first = await send(method, path, key);
      const again = await send(method, path, key);
      expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
      expect(replayed(again)).toBe(true);
    }
  });
});

test('a crashed function releases the key after a minute', async () => {
  const key = randomUUID();
  const big = Array.from({ length: 60 }, (_, index) => file(`${index}.txt`, 'x'.repeat(40_000)));
  const { body, contentType } = aForm([{ name: 'title', body: 'Died' }, ...big]);
  const headers = {
    'content-type': contentType,
    authorization: `Bearer ${apiKey}`,
    'idempotency-key': key,
  };
  const send = () => ask(`${cloud.baseUrl}/v1/projects`, { method: 'POST', headers, body });
  const isHeld = ({ rows }: State) => rows['counters']?.some(isRunning) === true;
  await killAt(cloud, isHeld, () => [send().catch(() => undefined)]);
  await cloud.start();
  expect(isHeld(await cloud.state())).toBe(true);
  await cloud.advance(60);
  const answer = await send();
  expect([answer.status, replayed(answer)]).toEqual([201, false]);
});

function isRunning(row: Record<string, unknown>): boolean {
  return 'leaseEndsAt' in row && !('sealed' in row);
}
