import { describe, expect, test } from '@jest/globals';
import { post } from '../../fixtures/accounts/accounts.ts';
import {
  type Answer,
  ask,
  baseUrl,
  file,
  isLocal,
  publish,
  somebody,
} from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const local = isLocal ? describe : describe.skip;

async function aSite(): Promise<string> {
  const { json } = await publish([file('a.txt'), file('b.txt')]);
  return json.data.url;
}

const said = { reason: 'phishing', message: 'It asks for my card.' };

const report = (url: string, body: unknown, from = somebody(), headers = {}) =>
  post('/_slipway/report', body, { service: url, from, headers });

function sendForm(url: string, fields: Record<string, string>, headers = {}): Promise<Answer> {
  return ask(`${url}/_slipway/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
    from: somebody(),
  });
}

local('a report of abuse', () => {
  test('is accepted as JSON', async () => {
    const url = await aSite();
    const email = 'eve@example.org';
    const { status, json, headers } = await report(url, { ...said, email, url: `${url}/a.txt` });
    expect({ status, json }).toEqual({
      status: 202,
      json: { status: 'success', data: { received: true } },
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('is accepted from a form that works without scripts', async () => {
    const url = await aSite();
    const listing = await ask(`${url}/`);
    expect(listing.text).toContain('<a href="/_slipway/report" rel="nofollow">Report</a>');
    const page = await ask(`${url}/_slipway/report`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(new URL(url).hostname);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    const sent = await sendForm(url, { ...said, email: '', url: '' });
    expect(sent.status).toBe(202);
    expect(sent.headers['content-type']).toContain('text/html');
    expect(sent.text).toContain('Thank you');
  });

  test('is shown again with its input when a field is missing', async () => {
    const url = await aSite();
    const sent = await sendForm(url, { reason: 'other', message: ' ', email: '<b>"x' });
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('value="other" required checked');
    expect(sent.text).toContain('value="&lt;b&gt;&quot;x"');
    expect(sent.text).toContain('role="alert">Describe what you saw.<');
  });

  test.each([
    ['a reason of its own', { ...said, reason: 'boring' }],
    ['broken JSON', '{'],
    ['a list', '[]'],
  ])('with %s is refused', async (_, body) => {
    expectRefusal(await report(await aSite(), body), 400, 'INVALID_REQUEST');
  });

  test('is limited to five an hour from one IP address, and refused reports do not count', async () => {
    const url = await aSite();
    const from = somebody();
    await report(url, {}, from);
    const answers: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      answers.push((await report(url, said, from)).status);
    }
    expect(answers).toEqual([202, 202, 202, 202, 202, 429]);
    const refused = await report(url, said, from);
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
    expect((await report(url, said)).status).toBe(202);
  });

  test('for a host that serves nothing answers 404', async () => {
    const nobody = (await aSite()).replace(/\/\/[^.]+\./, '//nobody-holds-this.');
    expectRefusal(await report(nobody, said), 404, 'NOT_FOUND');
    expect((await sendForm(nobody, said)).status).toBe(404);
    expect((await ask(`${nobody}/_slipway/report`)).status).toBe(404);
  });

  test('is refused on the app’s host, for every site that a client names', async () => {
    const headers = { 'x-slipway-host': new URL(await aSite()).hostname };
    expectRefusal(await report(baseUrl, said, somebody(), headers), 404, 'NOT_FOUND');
    expect((await ask(`${baseUrl}/_slipway/report`, { headers })).status).toBe(404);
  });

  test.each(['cross-site', 'same-site'])('from a %s page is refused', async (site) => {
    const headers = { 'sec-fetch-site': site };
    const url = await aSite();
    expectRefusal(await report(url, said, somebody(), headers), 403, 'FORBIDDEN');
    expect((await sendForm(url, said, headers)).status).toBe(403);
  });

  test('larger than any form is refused at the edge', async () => {
    const body = { ...said, message: 'x'.repeat(70_000) };
    expectRefusal(await report(await aSite(), body), 413, 'PAYLOAD_TOO_LARGE');
  });
});
