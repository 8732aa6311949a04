import { afterEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { anEmail, codeSentTo, get, post } from '../fixtures/accounts/accounts.ts';
import { baseUrl } from '../fixtures/clouds/client.ts';
import { openPage } from './support/chromium.ts';
import { browser } from './support/own-browser.ts';

let page: Page;
afterEach(() => page.context().close());

/** What a script of the open page gets for a request. */
function send(method: string, path: string, body?: unknown): Promise<any> {
  const request = {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
  return page.evaluate(
    `fetch(${JSON.stringify(path)}, ${JSON.stringify(request)}).then(async (answer) => ({
      ...(await answer.json()),
      status: answer.status,
    }))`,
  );
}

test('a page signs in, creates a key, deletes it and signs out; no script sees the token', async () => {
  const email = anEmail();
  page = await openPage(browser);
  await page.goto(baseUrl);
  await post('/v1/auth/otp/request', { email });
  const code = await codeSentTo(email);
  expect(await send('POST', '/v1/session', { email, code })).toMatchObject({ status: 200 });
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await send('GET', '/v1/session')).toMatchObject({ status: 200, data: { email } });
  const made = await send('POST', '/v1/keys', { name: 'Laptop' });
  expect(made).toMatchObject({ status: 201, data: { name: 'Laptop' } });
  expect((await get('/v1/user', made.data.key)).status).toBe(200);
  expect(await send('DELETE', `/v1/keys/${made.data.id}`)).toMatchObject({ status: 200 });
  expect((await get('/v1/user', made.data.key)).status).toBe(401);
  expect(await send('DELETE', '/v1/session')).toMatchObject({ status: 200 });
  // What stays tells the service that it knows this browser, and lets nobody in.
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).toEqual(['__Host-slipway-browser']);
  expect(await send('GET', '/v1/session')).toMatchObject({ status: 401, code: 'SESSION_MISSING' });
});
