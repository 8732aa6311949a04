import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cookieFrom, ownersCookie, unlock } from '../../fixtures/visits/access.ts';
import { anEmail, codeSentTo, get, post, signIn } from '../../fixtures/accounts/accounts.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { openPreview, preview, push } from '../../fixtures/projects/preview.ts';
import { created } from '../../fixtures/projects/projects.ts';

const secrets = ['CodeSecret', 'AccessSecret', 'OriginSecret'];

const cloud = new LocalCloud();
let key = '';
let open: { projectId: string; url: string };
let locked: { projectId: string; url: string };
let own: { projectId: string; url: string };

const page = (text: string) => [file('index.html', `<h1>${text}</h1>`)];
const make = (fields: Record<string, string>, text: string): Promise<any> =>
  created(key, { fields, files: page(text), service: cloud.baseUrl });

beforeAll(async () => {
  await cloud.start();
  key = await signIn(anEmail(), cloud.baseUrl);
  open = await make({}, 'first');
  await push(key, open.projectId, page('second'), cloud.baseUrl);
  locked = await make({ access: 'password', password: 'open sesame' }, 'locked');
  own = await make({ access: 'private' }, 'own');
});
afterAll(() => cloud.remove());

/** Runs one step of a rotation, on its own or beside requests. */
type RunStep = <T>(step: () => Promise<T>) => Promise<T>;

const alone: RunStep = (step) => step();

/** One step of every secret's rotation, as an operator types it. */
async function rotate(run: RunStep = alone): Promise<string[]> {
  const steps: string[] = [];
  for (const secret of secrets) {
    const { code, stdout, stderr } = await run(() =>
      adminCommand('rotate', secret, '--state-dir', cloud.stateDir),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    steps.push(stdout);
  }
  return steps;
}

/** Issues tokens of every kind, which must still work later. */
async function issueCredentials() {
  const { json } = await preview(key, open.projectId, 1, cloud.baseUrl);
  const [visitor, owner] = await Promise.all([
    unlock(locked.url, 'open sesame').then(cookieFrom),
    ownersCookie(key, own.projectId, cloud.baseUrl),
  ]);
  const idempotencyKey = randomUUID();
  const previewLink: string = json.data.url;
  const previewCookie = await openPreview(previewLink);
  const link = await makeLink(idempotencyKey);
  return { previewLink, previewCookie, visitor, owner, idempotencyKey, link: link.text };
}

function makeLink(idempotencyKey: string): Promise<Answer> {
  return ask(`${cloud.baseUrl}/v1/upload-links`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ title: 'Survey' }),
  });
}

type IssuedCredentials = Awaited<ReturnType<typeof issueCredentials>>;

/** Uses everything once; what does not work is named. */
async function findBroken(issued: IssuedCredentials): Promise<string[]> {
  const withCookie = (url: string, cookie: string) => ask(`${url}/`, { headers: { cookie } });
  const [shown, visited, owned, link, repeated, account] = await Promise.all([
    withCookie(open.url, issued.previewCookie),
    withCookie(locked.url, issued.visitor),
    withCookie(own.url, issued.owner),
    ask(issued.previewLink),
    makeLink(issued.idempotencyKey),
    get('/v1/user', key, cloud.baseUrl),
  ]);
  const works = {
    preview: shown.text.includes('first'),
    'unlock cookie': visited.status === 200 && visited.text.includes('locked'),
    'owner cookie': owned.status === 200 && owned.text.includes('own'),
    'preview link': link.status === 302,
    'repeated answer': repeated.text === issued.link,
    'origin header': account.status === 200,
  };
  return Object.entries(works)
    .filter(([, isGood]) => !isGood)
    .map(([name]) => name);
}

/** A sign-in that is begun now and ended by the function that it gives. */
async function beginSignIn(): Promise<() => Promise<Answer>> {
  const email = anEmail();
  const service = cloud.baseUrl;
  expect((await post('/v1/auth/otp/request', { email }, { service })).status).toBe(200);
  const code = await codeSentTo(email, service);
  return () => post('/v1/auth/otp/verify', { email, code }, { service });
}

/** How often everything is used beside each step: before, during and after what it changes. */
const roundsOfStep = 5;

/**
 * Uses everything beside each step; `wrong` gets what did not work. It ends for each step, because moving the
 * clock waits until no hit is left to count.
 */
function besideRequests(issued: IssuedCredentials, wrong: string[]): RunStep {
  return async (step) => {
    const use = async () => {
      for (let round = 0; round < roundsOfStep; round += 1) {
        wrong.push(...(await findBroken(issued)));
      }
    };
    const [result] = await Promise.all([step(), use()]);
    return result;
  };
}

describe('secrets are rotated while requests run', () => {
  let before: IssuedCredentials;
  let between: IssuedCredentials;

  test('no request notices the first rotation, and earlier tokens still work', async () => {
    before = await issueCredentials();
    const wrong: string[] = [];
    const run = besideRequests(before, wrong);
    for (const step of await rotate(run)) expect(step).toContain('a new value is prepared');
    for (const step of await rotate(run)) expect(step).toContain('nothing was changed');
    // Past the time for which functions keep values, and then to where none can lack the new one.
    await run(() => cloud.advance(301));
    await run(() => cloud.advance(300));
    const [first, second] = [await beginSignIn(), await beginSignIn()];
    for (const step of await rotate(run))
      expect(step).toContain('the new value is the current one');
    // Functions still have what they read before, then they do not.
    expect((await first()).status).toBe(200);
    await run(() => cloud.advance(301));
    expect((await second()).status).toBe(200);
    expect(wrong).toEqual([]);
    expect(await findBroken(before)).toEqual([]);
  });

  test('no request notices the second one, and tokens from between still work', async () => {
    between = await issueCredentials();
    const wrong: string[] = [];
    const run = besideRequests(between, wrong);
    await rotate(run);
    await run(() => cloud.advance(301));
    await run(() => cloud.advance(300));
    const end = await beginSignIn();
    for (const step of await rotate(run))
      expect(step).toContain('the new value is the current one');
    await run(() => cloud.advance(301));
    expect((await end()).status).toBe(200);
    expect(wrong).toEqual([]);
    expect(await findBroken(between)).toEqual([]);
  });

  test('after it tokens of the first value are refused', async () => {
    expect((await findBroken(before)).toSorted()).toEqual([
      'owner cookie',
      'preview',
      'preview link',
      'repeated answer',
      'unlock cookie',
    ]);
  });

  test('each secret has three accepted values, and no others are kept', () => {
    const kept = JSON.parse(readFileSync(join(cloud.stateDir, 'secrets.json'), 'utf8'));
    const all = Object.values<any[]>(kept);
    expect(all).toHaveLength(1);
    expect(all[0]?.map(({ stages }) => stages.toSorted().join()).toSorted()).toEqual([
      'AWSCURRENT',
      'access-current,access-next',
      'access-previous',
      'api-current',
      'code-current,code-next',
      'code-previous',
      'origin-current,origin-next',
      'origin-previous',
    ]);
  });

  test('a deployment keeps the rotated values', async () => {
    await cloud.kill();
    await cloud.start();
    expect(await findBroken(between)).toEqual([]);
  });

  test('a secret that cannot be rotated this way is refused with the next step', async () => {
    const refused = await adminCommand('rotate', 'Nothing', '--state-dir', cloud.stateDir);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('CodeSecret, AccessSecret, OriginSecret');
  });
});
