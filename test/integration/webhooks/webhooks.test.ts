import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { anEmail, get, mailsTo, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { previews } from '../../fixtures/agents/agents.ts';
import { file, somebody } from '../../fixtures/clouds/client.ts';
import { look, open } from '../../fixtures/visits/opens.ts';
import { press, shared } from '../../fixtures/visits/share-links.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { pushed } from '../../fixtures/projects/versions.ts';
import { linked, uploadTo } from '../../fixtures/uploads/upload-links.ts';
import { isGenuine, Receiver } from '../../fixtures/webhooks/receiver.ts';

const cloud = new LocalCloud();
let receiver: Receiver;
const others: Receiver[] = [];
let apiKey: string;
let email: string;
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());
beforeEach(async () => {
  email = anEmail();
  apiKey = await signIn(email, cloud.baseUrl);
  receiver = await new Receiver().start();
});
afterEach(async () => {
  for (const one of [receiver, ...others.splice(0)]) await one.close();
});

/** Another program, until the test ends. */
const another = async () => {
  const program = await new Receiver().start();
  others.push(program);
  return program;
};
const events = ['version.published', 'upload.received', 'project.taken_down'];
const told = () =>
  receiver.got.map(({ json: { type, data } }) => [type, data.opens ?? data.link?.name ?? null]);
const send = (path: string, body?: unknown, method = 'POST') =>
  sendWith(apiKey, `${cloud.baseUrl}/v1/webhooks${path}`, body, method);
const hooked = async (fields = {}) => {
  const answer = await send('', { url: receiver.url, events, ...fields });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.data;
};
const aProject = () => created(apiKey, { service: cloud.baseUrl });
const push = (projectId: string, text: string) =>
  pushed(apiKey, projectId, [file('index.html', text)], { service: cloud.baseUrl });
const deliveriesOf = async (id: string) => {
  const answer = await get(`/v1/webhooks/${id}/deliveries`, apiKey, cloud.baseUrl);
  return answer.json.data.deliveries;
};
const versions = () => receiver.got.map(({ json }) => json.data.version);
const seconds = async () => (await cloud.now()).getTime() / 1000;

test('events come in their order, signed; what others send is refused by the documented check', async () => {
  const { id, secret } = await hooked();
  const { projectId } = await aProject();
  await push(projectId, 'two');
  const { uploadUrl } = await linked(apiKey, { projectId }, cloud.baseUrl);
  expect((await uploadTo(uploadUrl, [file('index.html', 'three')])).status).toBe(200);
  const state = ['--state-dir', cloud.stateDir];
  await adminCommand('takedown', projectId, '--reason', 'abuse', ...state);
  await cloud.advance(61);
  expect(
    receiver.got.map(({ json }) => [json.type, json.data.version ?? json.data.reason]),
  ).toEqual([
    ['version.published', 1],
    ['version.published', 2],
    ['upload.received', 3],
    ['version.published', 3],
    ['project.taken_down', 'abuse'],
  ]);
  const now = await seconds();
  for (const one of receiver.got) {
    expect(one.json.data).toMatchObject({ projectId, title: 'A title' });
    expect(isGenuine(one, secret, now)).toBe(true);
    expect(isGenuine({ ...one, body: one.body.replace('title', 'Title') }, secret, now)).toBe(
      false,
    );
    expect(isGenuine(one, (secret as string).replace(/.{4}=$/, 'AAA='), now)).toBe(false);
    expect(isGenuine(one, secret, now + 600)).toBe(false);
    const headers = { ...one.headers, 'webhook-id': 'another' };
    expect(isGenuine({ ...one, headers }, secret, now)).toBe(false);
  }
  const listed = await deliveriesOf(id);
  expect(listed).toHaveLength(5);
  expect(listed[0]).toMatchObject({
    type: 'project.taken_down',
    projectId,
    state: 'delivered',
    attempts: 1,
    lastAttempt: { status: 204, body: '' },
  });
});

test('new events are sent within seconds, without the sweep', async () => {
  await hooked();
  await cloud.awayFromMinute(15);
  await aProject();
  await cloud.advance(0);
  expect(receiver.got).toHaveLength(1);
});

test('a failure holds up its own project alone, and is sent again until it arrives', async () => {
  const { id } = await hooked();
  const [one, other] = [await aProject(), await aProject()];
  await cloud.advance(61);
  receiver.got.length = 0;
  receiver.answer = (response, { json }) => {
    if (json.data.projectId === one.projectId) response.writeHead(500).end('try later');
    else response.writeHead(200).end('fine');
  };
  await push(one.projectId, 'two');
  await push(one.projectId, 'three');
  await push(other.projectId, 'two');
  await cloud.advance(1);
  expect(receiver.got.map(({ json }) => [json.data.projectId, json.data.version])).toEqual(
    expect.arrayContaining([
      [one.projectId, 2],
      [other.projectId, 2],
    ]),
  );
  expect(receiver.got).toHaveLength(2);
  const waiting = await deliveriesOf(id);
  expect(waiting.filter(({ state }: { state: string }) => state === 'waiting')).toMatchObject([
    { attempts: 0 },
    { attempts: 1, lastAttempt: { status: 500, body: 'try later' } },
  ]);
  receiver.got.length = 0;
  receiver.answer = (response) => response.writeHead(204).end();
  await cloud.advance(121);
  expect(versions()).toEqual([2, 3]);
});

test('a delivery that waits for hours is sent within a minute when its owner asks, after the one before it', async () => {
  const { id } = await hooked();
  const { projectId } = await aProject();
  await cloud.advance(61);
  receiver.answer = (response) => response.writeHead(500).end();
  await push(projectId, 'two');
  await push(projectId, 'three');
  for (const seconds of [61, 361, 961, 3661]) await cloud.advance(seconds);
  receiver.answer = (response) => response.writeHead(204).end();
  receiver.got.length = 0;
  await cloud.advance(61);
  const [three, two] = await deliveriesOf(id);
  expect([three, two]).toMatchObject([{ attempts: 0 }, { attempts: 5, state: 'waiting' }]);
  const again = await send(`/${id}/deliveries/${three.id}/redeliver`);
  expect([again.status, again.json.data]).toEqual([201, { deliveryId: three.id }]);
  await cloud.advance(61);
  expect(versions()).toEqual([2, 3]);
});

test('a redirect is a failure, and its target gets no request', async () => {
  const inside = await another();
  const { id } = await hooked();
  receiver.answer = (response) =>
    response.writeHead(307, { location: inside.url, 'content-length': 0 }).end();
  await send(`/${id}/test`);
  await cloud.advance(1);
  expect(inside.got).toEqual([]);
  expect(await deliveriesOf(id)).toMatchObject([
    { type: 'webhook.test', state: 'waiting', lastAttempt: { status: 307 } },
  ]);
});

test('while a secret is replaced, both check a delivery; a day later the new one alone', async () => {
  const { id, secret: former } = await hooked();
  const { secret } = (await send(`/${id}/rotate-secret`)).json.data;
  const check = async () => {
    receiver.got.length = 0;
    await send(`/${id}/test`);
    await cloud.advance(1);
    const now = await seconds();
    return receiver.got.map((one) => [isGenuine(one, former, now), isGenuine(one, secret, now)]);
  };
  expect(await check()).toEqual([[true, true]]);
  await cloud.advance(24 * 3600);
  expect(await check()).toEqual([[false, true]]);
});

test('after three days without success it is switched off, with a mail; a repeat has the same id', async () => {
  const { id } = await hooked();
  receiver.answer = (response) => response.writeHead(503).end();
  const { projectId } = await aProject();
  for (let hour = 0; hour < 75; hour += 3) await cloud.advance(3 * 3600);
  await push(projectId, 'two');
  await cloud.advance(61);
  const { webhooks } = (await get('/v1/webhooks', apiKey, cloud.baseUrl)).json.data;
  expect(webhooks).toMatchObject([{ id, enabled: false }]);
  const [mail] = await mailsTo(email, cloud.baseUrl);
  expect(mail.subject).toContain('Events are not sent to 127.0.0.1');
  receiver.answer = (response) => response.writeHead(204).end();
  await send(`/${id}`, { enabled: true }, 'PATCH');
  const failed = (await deliveriesOf(id)).filter(
    ({ state }: { state: string }) => state === 'failed',
  );
  const first = failed.at(-1);
  receiver.got.length = 0;
  expect((await send(`/${id}/deliveries/${first.id}/redeliver`)).status).toBe(201);
  await cloud.advance(121);
  expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toContain(first.eventId);
  expect(versions()).toContain(1);
});

test('killed after the change or during the request, every event arrives, in order', async () => {
  await hooked();
  let unsent = 0;
  let projectId = '';
  // New events are sent at once, so a kill may come too late.
  for (let turn = 0; unsent === 0 && turn < 5; turn += 1) {
    receiver.got.length = 0;
    ({ projectId } = await aProject());
    await cloud.kill();
    unsent += receiver.got.length === 0 ? 1 : 0;
    await cloud.resume();
    await cloud.advance(400);
    expect(new Set(versions())).toEqual(new Set([1]));
  }
  expect(unsent).toBe(1);
  receiver.got.length = 0;
  const asked = new Promise<void>((resolve) => {
    receiver.answer = () => resolve();
  });
  const pushes = [push(projectId, 'two')];
  await asked;
  await cloud.kill();
  await Promise.allSettled(pushes);
  receiver.answer = (response) => response.writeHead(204).end();
  await cloud.resume();
  await push(projectId, 'three');
  await cloud.advance(400);
  const got = versions();
  expect(got.filter((version) => version === 2).length).toBeGreaterThan(1);
  expect(got).toEqual(got.toSorted((a, b) => a - b));
  expect(got.at(-1)).toBe(3);
}, 180_000);

test('a receiver that breaks off, redirects inside, fails and has a wrong clock accepts each event once, in order, while its secret is replaced', async () => {
  const inside = await another();
  const { id, secret: former } = await hooked();
  const [one, other] = [await aProject(), await aProject()];
  await cloud.advance(61);
  receiver.got.length = 0;
  const accepted: { projectId: string; version: number }[] = [];
  let [known, now, wrongBySeconds] = [former, 0, 0];
  const check: Receiver['answer'] = (response, got) => {
    const isRight = isGenuine(got, known, now + wrongBySeconds);
    if (isRight) accepted.push(got.json.data);
    response.writeHead(isRight ? 204 : 401).end();
  };
  const faults: Receiver['answer'][] = [
    (response) => response.destroy(),
    (response) => response.writeHead(307, { location: inside.url }).end(),
    (response) => response.writeHead(500).end(),
  ];
  receiver.answer = (response, got) => {
    const fault = got.json.data.projectId === one.projectId ? faults.shift() : undefined;
    (fault ?? check)(response, got);
  };
  const advance = async (by: number) => {
    now = (await seconds()) + by;
    await cloud.advance(by);
  };
  now = await seconds();
  for (const { projectId } of [one, other]) await push(projectId, 'two');
  await push(one.projectId, 'three');
  const of = ({ projectId }: { projectId: string }) =>
    accepted.filter((got) => got.projectId === projectId).map(({ version }) => version);
  for (const wait of [1, 61, 301]) await advance(wait);
  expect([faults.length, of(one), of(other)]).toEqual([0, [], [2]]);
  wrongBySeconds = -600;
  await advance(901);
  const refused = (await deliveriesOf(id)).filter(({ state }: any) => state === 'waiting');
  expect(refused.at(-1)).toMatchObject({ attempts: 4, lastAttempt: { status: 401 } });
  wrongBySeconds = 0;
  const { secret } = (await send(`/${id}/rotate-secret`)).json.data;
  await advance(3601);
  expect([of(one), inside.got]).toEqual([[2, 3], []]);
  await advance(86_400);
  await push(one.projectId, 'four');
  await advance(61);
  expect(of(one)).toEqual([2, 3]);
  known = secret;
  await advance(301);
  expect([of(one), of(other)]).toEqual([[2, 3, 4], [2]]);
}, 180_000);

test('opens by people, the last one of a share link, and a near end are told; bots and a kill change nothing', async () => {
  const wanted = ['project.opened', 'project.first_opened', 'link.exhausted', 'project.expiring'];
  await hooked({ events: wanted });
  const { projectId, url } = await created(apiKey, {
    service: cloud.baseUrl,
    fields: { expiresIn: '7d' },
  });
  await look(url, { headers: { 'user-agent': previews.Slack } });
  await open(url, { headers: { 'user-agent': previews.Slack } });
  await cloud.advance(1);
  expect(told()).toEqual([]);
  await look(url);
  await open(url);
  await cloud.kill();
  await cloud.resume();
  await cloud.advance(400);
  expect(told()).toContainEqual(['project.first_opened', null]);
  await open(url, { from: somebody() });
  await cloud.advance(61);
  expect(told().filter(([type]) => type === 'project.first_opened')).toHaveLength(1);
  const opens = told().filter(([type]) => type === 'project.opened');
  expect(opens).toEqual([
    ['project.opened', 1],
    ['project.opened', 1],
  ]);
  const [first] = receiver.got;
  expect(first?.json.data.open).toMatchObject({ browser: 'Firefox', link: null });
  receiver.got.length = 0;
  const link = await shared(apiKey, projectId, { maxOpens: 1 }, cloud.baseUrl);
  expect((await press(link.url)).status).toBe(303);
  await cloud.advance(1);
  expect(receiver.got[0]?.json.data).toMatchObject({
    link: { id: link.id, name: 'Anna' },
    opens: 1,
  });
  receiver.got.length = 0;
  await cloud.advance(6 * 86_400 - 600);
  expect(told()).toEqual([]);
  await cloud.advance(600);
  await cloud.advance(61);
  expect(told()).toEqual([['project.expiring', null]]);
  await cloud.advance(86_400);
  expect(told()).toHaveLength(1);
});

test('a receiver that never answers, and one that drips, fail after ten seconds and hold up their own project', async () => {
  const { id } = await hooked();
  const [hanging, dripping, other] = [await aProject(), await aProject(), await aProject()];
  await cloud.advance(61);
  receiver.got.length = 0;
  const drips: NodeJS.Timeout[] = [];
  receiver.answer = (response, { json }) => {
    if (json.data.projectId === other.projectId) response.writeHead(204).end();
    if (json.data.projectId !== dripping.projectId) return;
    response.writeHead(200);
    drips.push(setInterval(() => response.write('.'), 500));
  };
  const begun = Date.now();
  const arrived = new Promise<number>((resolve) => {
    const { answer } = receiver;
    receiver.answer = (response, got) => {
      if (got.json.data.projectId === other.projectId) resolve(Date.now() - begun);
      answer(response, got);
    };
  });
  for (const { projectId } of [hanging, dripping, other]) await push(projectId, 'two');
  expect(await arrived).toBeLessThan(9000);
  await cloud.advance(1);
  for (const drip of drips) clearInterval(drip);
  const waiting = (await deliveriesOf(id)).filter(({ state }: any) => state === 'waiting');
  const lastAttempt = { status: null, body: 'there was no answer within ten seconds' };
  expect(waiting).toMatchObject([{ lastAttempt }, { lastAttempt }]);
  for (const one of waiting) expect(one.lastAttempt.milliseconds).toBeGreaterThan(9900);
  receiver.answer = (response) => response.writeHead(204).end();
  await cloud.advance(61);
  expect(versions()).toEqual([2, 2, 2, 2, 2]);
});

test('receivers that hang hold two of the five senders, and an event of another account arrives meanwhile', async () => {
  await hooked();
  let [open, mostOpen] = [0, 0];
  receiver.answer = (response) => {
    mostOpen = Math.max(mostOpen, (open += 1));
    response.on('close', () => (open -= 1));
  };
  await aProject();
  await cloud.advance(1);
  expect(mostOpen).toBe(1);
  const elsewhere = await another();
  const otherKey = await signIn(anEmail(), cloud.baseUrl);
  const hook = { url: elsewhere.url, events };
  await sendWith(otherKey, `${cloud.baseUrl}/v1/webhooks`, hook);
  const openMeanwhile = new Promise<number>((resolve) => {
    elsewhere.answer = (response) => {
      resolve(open);
      response.writeHead(204).end();
    };
  });
  for (let count = 0; count < 4; count += 1) await aProject();
  await created(otherKey, { service: cloud.baseUrl });
  expect(await openMeanwhile).toBeLessThanOrEqual(2);
  await cloud.advance(1);
  expect(mostOpen).toBeLessThanOrEqual(2);
  // Nothing is lost: each line comes again.
  receiver.answer = (response) => response.writeHead(204).end();
  receiver.got.length = 0;
  for (let turn = 0; turn < 4; turn += 1) await cloud.advance(61);
  const arrived = new Set(receiver.got.map(({ json }) => json.data.projectId));
  expect(arrived.size).toBe(5);
}, 180_000);
