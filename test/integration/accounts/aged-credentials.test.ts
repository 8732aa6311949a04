import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Operation } from '../../../contract/operation.ts';
import { exampleBody, examplePath } from '../../../contract/operation-parts.ts';
import { operations } from '../../../contract/operations.ts';
import { example } from '../../../contract/examples.ts';
import { type Answer, ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { Browser } from '../../fixtures/visits/browser.ts';

const cloud = new LocalCloud('trialDays=365');
const kinds = ['session', 'key'] as const;
type Kind = (typeof kinds)[number];

/** An account that calls one operation only, so that each call is the first use after a time. */
interface Owner {
  operation: Operation;
  browser: Browser;
  key: string;
  /** For the session and for the key: two where one call may delete it. */
  projects: Record<Kind, string>;
}
let owners: Owner[] = [];
let startedAt: number;

beforeAll(async () => {
  await cloud.start();
  owners = [];
  for (const operation of operations) owners.push(await owner(operation));
  startedAt = (await cloud.now()).getTime();
});
afterAll(() => cloud.remove());

async function owner(operation: Operation): Promise<Owner> {
  const browser = await new Browser(undefined, cloud.baseUrl).signIn();
  const { key } = (await browser.send('POST', '/v1/keys', { name: 'CI' })).json.data;
  if (!operation.path.includes('{projectId}')) {
    return { operation, browser, key, projects: { session: '', key: '' } };
  }
  const session = await aProject(browser);
  const ofKey = operation.method === 'GET' ? session : await aProject(browser);
  return { operation, browser, key, projects: { session, key: ofKey } };
}

async function aProject(browser: Browser): Promise<string> {
  const { body, contentType } = aForm([
    file('index.html', 'hello'),
    { name: 'title', body: 'Aged' },
  ]);
  const headers = { 'content-type': contentType };
  const answer = await browser.send('POST', '/v1/projects', undefined, { body, headers });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.data.projectId;
}

/** The call of the operation's example, with a project of the account; it waits for no event. */
function call({ operation, browser, key, projects }: Owner, kind: Kind): Promise<Answer> {
  const path = examplePath(operation)
    .replace(example.projectId, projects[kind])
    .replace(/wait=\d+/, 'wait=0');
  const { method } = operation;
  const request = { method, ...bodyOf(operation) };
  if (kind === 'session') return browser.send(method, path, undefined, request);
  const headers = { ...request.headers, authorization: `Bearer ${key}` };
  return ask(cloud.baseUrl + path, { ...request, headers });
}

function bodyOf(operation: Operation) {
  if (operation.body === 'none') return {};
  if (operation.body === 'json') {
    const body = JSON.stringify(exampleBody(operation));
    return { body, headers: { 'content-type': 'application/json' } };
  }
  const fields = { ...exampleBody(operation) };
  delete fields['files'];
  const texts = Object.entries(fields).map(([name, value]) => ({ name, body: String(value) }));
  const { body, contentType } = aForm([file('index.html', 'hello again'), ...texts]);
  return { body, headers: { 'content-type': contentType } };
}

/** Sessions end after 30 days, keys that are not used after 90. */
test.each([
  ['61 minutes', 61 * 60],
  ['25 hours', 25 * 3600],
  ['29 days', 29 * 86_400],
])('every operation accepts a session and a key after %s', async (_, seconds) => {
  await cloud.advance((startedAt - (await cloud.now()).getTime()) / 1000 + seconds);
  const wrong: string[] = [];
  for (const each of owners) {
    for (const kind of kinds) {
      const { status, text } = await call(each, kind);
      const { auth, id } = each.operation;
      const isRefused = (auth === 'key' || auth === kind) && /"(?:API_KEY|SESSION)_/.test(text);
      if (status >= 500 || isRefused) wrong.push(`${id} with a ${kind}: ${status} ${text}`);
    }
  }
  expect(wrong).toEqual([]);
});
