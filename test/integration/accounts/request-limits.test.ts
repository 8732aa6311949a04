import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defaultPlans } from '../../../contract/plans.ts';
import { anEmail, get, post, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, file, publishTo, somebody } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import { create, created } from '../../fixtures/projects/projects.ts';
import { uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { change, patch, push } from '../../fixtures/projects/versions.ts';

const { requestsPerMinute } = defaultPlans.free;
const cloud = new LocalCloud('trialDays=0', `plans.free.requestsPerMinute=${requestsPerMinute}`);
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

/** The limit headers of a response. */
const rateLimitOf = ({ headers }: Answer) => ({
  limit: Number(headers['ratelimit-limit']),
  remaining: Number(headers['ratelimit-remaining']),
  reset: Number(headers['ratelimit-reset']),
});
const user = (key: string) => get('/v1/user', key, cloud.baseUrl);

/** Lets the minute turn, so that a test has a whole one. */
async function aFreshMinute(): Promise<void> {
  const seconds = (await cloud.now()).getTime() / 1000;
  await cloud.advance(60 - (seconds % 60) + 1);
}

describe('requests of one account', () => {
  test('are counted down, refused at the plan’s limit, and allowed in the next minute', async () => {
    const [key, other] = [
      await signIn(anEmail(), cloud.baseUrl),
      await signIn(anEmail(), cloud.baseUrl),
    ];
    await aFreshMinute();
    expect(rateLimitOf(await user(key))).toMatchObject({ limit: 60, remaining: 59 });
    const answers = await Promise.all(Array.from({ length: 62 }, () => user(key)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    for (const answer of refused) {
      expectRefusal(answer, 429, 'RATE_LIMITED');
      const { reset, ...rest } = rateLimitOf(answer);
      expect(rest).toEqual({ limit: 60, remaining: 0 });
      expect(answer.json.retryAfterSeconds).toBe(reset);
      expect(answer.headers['retry-after']).toBe(String(reset));
      expect(answer.headers['x-request-id']).toMatch(/\S/);
    }
    const given = answers
      .filter(({ status }) => status === 200)
      .map((one) => rateLimitOf(one).remaining);
    expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 59 }, (_, left) => left));
    expect((await user(other)).status).toBe(200);
    await cloud.advance(rateLimitOf(await user(key)).reset);
    expect(rateLimitOf(await user(key))).toMatchObject({ remaining: 59 });
  });

  test('count when they are refused for another reason, and do not count without an account', async () => {
    const key = await signIn(anEmail(), cloud.baseUrl);
    await aFreshMinute();
    const missing = await get('/v1/projects/nothing', key, cloud.baseUrl);
    expectRefusal(missing, 404, 'NOT_FOUND');
    expect(rateLimitOf(missing)).toMatchObject({ limit: 60, remaining: 59 });
    const stranger = await get('/v1/user', `${key}x`, cloud.baseUrl);
    expect(stranger.headers).not.toHaveProperty('ratelimit-limit');
  });
});

describe('a response has the tightest of its limits', () => {
  test('at temporary uploads: three a minute, then five an hour', async () => {
    const from = somebody();
    const upload = (name = 'a.txt') => publishTo(cloud.baseUrl, [file(name)], from);
    await aFreshMinute();
    expect(rateLimitOf(await upload('a.zip'))).toMatchObject({ limit: 30, remaining: 29 });
    expect(rateLimitOf(await upload())).toEqual({ limit: 3, remaining: 2, reset: 60 });
    expect(rateLimitOf(await upload())).toMatchObject({ limit: 3, remaining: 1 });
    expect(rateLimitOf(await upload())).toMatchObject({ limit: 3, remaining: 0 });
    const refused = await upload();
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(rateLimitOf(refused)).toMatchObject({ limit: 3, remaining: 0 });
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
    await cloud.advance(60);
    expect(rateLimitOf(await upload())).toMatchObject({ limit: 5, remaining: 1 });
  });

  test('at sign-in codes: three an hour for an address', async () => {
    const email = anEmail();
    const from = somebody();
    const request = () =>
      post('/v1/auth/otp/request', { email, resend: true }, { service: cloud.baseUrl, from });
    expect(rateLimitOf(await request())).toEqual({ limit: 3, remaining: 2, reset: 3600 });
    await cloud.advance(61);
    const second = rateLimitOf(await request());
    expect(second).toMatchObject({ limit: 3, remaining: 1 });
    expect(second.reset).toBeLessThanOrEqual(3600 - 61);
  });
});

describe('publications of one account', () => {
  const slow = new LocalCloud('plans.pro.requestsPerMinute=1');
  beforeAll(() => slow.start());
  afterAll(() => slow.remove());

  test('of every kind count together, ten times as many an hour as requests a minute', async () => {
    const service = slow.baseUrl;
    const key = await signIn(anEmail(), service);
    const seconds = (await slow.now()).getTime() / 1000;
    await slow.advance(3600 - (seconds % 3600) + 1);
    const { projectId } = await created(key, { service });
    const page = [file('index.html')];
    await slow.advance(61);
    const photos = await created(key, {
      files: [file('brief.txt')],
      fields: { access: 'private' },
      service,
    });
    const asked = { into: photos.projectId, message: 'Send your photos', maxUploads: 9 };
    const links = new Array<string>();
    for (let one = 0; one < 3; one += 1) {
      await slow.advance(61);
      const link = await sendWith(key, `${service}/v1/upload-links`, asked);
      links.push(link.json.data.uploadUrl);
    }
    const ways = {
      create: () => create(key, { service }),
      push: () => push(key, projectId, page, { service }),
      change: () => change(key, projectId, page, service),
      preview: () => push(key, `${projectId}/previews/pr-1`, page, { service }),
      rollBack: () => sendWith(key, `${service}/v1/projects/${projectId}/rollback`, { version: 1 }),
      copy: () => sendWith(key, `${service}/v1/projects/${projectId}/duplicate`, {}),
    };
    const statuses: number[] = [];
    for (const send of [...Object.values(ways), ways.create]) {
      await slow.advance(61);
      statuses.push((await send()).status);
    }
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 201, 201, 201]);
    await slow.advance(61);
    // Its files may be stored by then.
    const broken = await push(key, projectId, [file('site.zip', 'no ZIP')], { service });
    expectRefusal(broken, 400, 'ARCHIVE_INVALID');
    const back = (what: string) => () =>
      sendWith(key, `${service}/v1/projects/${projectId}/${what}`, {});
    // These may tell webhooks that the plan is nearly used up.
    const comesBack = [back('unarchive'), back('restore')];
    for (const send of [...Object.values(ways), ...comesBack]) {
      await slow.advance(61);
      const refused = await send();
      expectRefusal(refused, 429, 'RATE_LIMITED');
      expect(refused.json.error).toBe('At most 10 publications of one account in an hour.');
    }
    const sendFile = (link = 0) =>
      uploadTo(links[link] ?? '', [{ name: 'files', filename: 'a.txt', body: 'sent' }]);
    expect([(await sendFile()).status, (await sendFile()).status]).toEqual([200, 200]);
    const tooMany = await sendFile();
    // Strangers learn nothing of the plan, and stop nobody who sends by another link.
    expect(tooMany.json.error).toBe('There were too many uploads by links in an hour.');
    expect(rateLimitOf(tooMany).limit).not.toBe(2);
    expect([(await sendFile(1)).status, (await sendFile(2)).status]).toEqual([200, 429]);
    await slow.advance(61);
    expect((await patch(key, projectId, { title: 'Tides' }, service)).status).toBe(200);
    await slow.advance(3600);
    expect((await ways.push()).status).toBe(200);
  });
});

describe('every response has an id', () => {
  test.each([
    ['a success', 'GET', '/health', {}],
    ['a page', 'GET', '/', {}],
    ['a refusal', 'GET', '/v1/user', {}],
    ['an unknown route', 'GET', '/v1/nothing', {}],
    ['a refusal of the edge', 'POST', '/v1/projects', { 'content-length': '10485761' }],
  ])('%s', async (_, method, path, headers) => {
    const answers = [
      await ask(cloud.baseUrl + path, { method, headers }),
      await ask(cloud.baseUrl + path, { method, headers }),
    ];
    const ids = answers.map((answer) => answer.headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(/^[\w=-]{16,}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });
});
