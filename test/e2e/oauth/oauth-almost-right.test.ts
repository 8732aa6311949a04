import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import { type Answer, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import { OAuthApp, pkce } from '../../fixtures/agents/oauth-app.ts';
import { expectNoInsides } from '../../fixtures/clouds/refusals.ts';

jest.setTimeout(600_000);

// The codes of a sign-in are read from the local inbox.
const local = isLocal ? describe : describe.skip;

/** Fixed, so that a run that fails can be repeated. */
const runs = { seed: 20_261_121, numRuns: 25 };

const aText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202etxt.exe',
    '%ff',
    '../../..',
    '__proto__',
    'constructor',
    'x'.repeat(2500),
    'null',
    '-1',
    '1e999',
    'https://app.example/callback',
    'http://127.0.0.1:99999/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'https://user:pass@app.example/callback#x',
    'javascript:alert(1)',
    'S256',
    'plain',
    'projects:read projects:read',
    `${baseUrl}/mcp`,
  ),
);

/** The change of one parameter: omitted, another value, or sent twice. */
const aChange = fc.oneof(
  fc.constant(() => []),
  aText.map((text) => () => [text]),
  aText.map((text) => (was: string) => [was, text]),
);

/** Right parameters of which up to two are wrong. */
function almost(right: Record<string, string>) {
  return fc
    .dictionary(fc.constantFrom(...Object.keys(right), 'request', 'prompt'), aChange, {
      maxKeys: 2,
      noNullPrototype: true,
    })
    .map((changes) => {
      const names = new Set([...Object.keys(right), ...Object.keys(changes)]);
      return new URLSearchParams(
        [...names].flatMap((name) => {
          const was = right[name] ?? '';
          const values = changes[name]?.(was) ?? [was];
          return values.map((value): [string, string] => [name, value]);
        }),
      ).toString();
    });
}

function expectAnswered(what: unknown, { status, text }: Answer): void {
  if (status >= 500) throw new Error(`${status} ${text}: ${JSON.stringify(what)}`);
  if (status >= 400) expectNoInsides(text);
}

let person: Person;
let app: OAuthApp;
beforeAll(async () => {
  if (!isLocal) return;
  [person, app] = [new Person(), await new OAuthApp().register()];
  await person.reachConsent(app.authorizeUrl(pkce().challenge));
});

local('requests that are almost right are answered, whoever is signed in', () => {
  const authorizationQuery = () =>
    Object.fromEntries(new URL(app.authorizeUrl(pkce().challenge)).searchParams);
  /** There is no redirect except to the app. */
  const isSafe = (left: string | undefined) =>
    expect(left ?? app.redirectUri).toMatch(/^https:\/\/app\.example\/callback(?:\?|$)/);

  test('for access', async () => {
    const property = fc.asyncProperty(almost(authorizationQuery()), async (query) => {
      const page = await person.open(`${baseUrl}${oauthPaths.authorize}?${query}`);
      expectAnswered(query, page);
      isSafe(page.left);
    });
    await fc.assert(property, runs);
  });

  test('to allow it: a changed form never returns a code', async () => {
    const url = app.authorizeUrl(pkce().challenge);
    const page = await person.open(url);
    const form = page.forms.find(({ buttons }) => buttons.some(({ name }) => name === 'decision'));
    const right = { ...Object.fromEntries(form?.fields ?? []), decision: 'allow' };
    const whole = new URLSearchParams(right).toString();
    const property = fc.asyncProperty(
      almost(authorizationQuery()),
      almost(right),
      async (query, body) => {
        const action = `${baseUrl}${oauthPaths.authorize}?${query}`;
        const answer = await person.send(action, body);
        expectAnswered({ query, body }, answer);
        isSafe(answer.left);
        // A proof of another request or person, or a wrong one, allows nothing.
        if (action !== url || body !== whole) expect(answer.left ?? '').not.toMatch(/[?&]code=/);
      },
    );
    await fc.assert(property, runs);
    expect((await person.send(form?.action ?? '', whole)).left).toMatch(/[?&]code=/);
  });

  test('for a code', async () => {
    const right = { email: 'a@example.org', code: '123456', resend: '1', account: 'other' };
    const property = fc.asyncProperty(
      almost(authorizationQuery()),
      almost(right),
      async (query, body) => {
        const stranger = new Person();
        const answer = await stranger.send(`${baseUrl}${oauthPaths.authorize}?${query}`, body);
        expectAnswered({ query, body }, answer);
        isSafe(answer.left);
        expect(stranger.cookies['__Host-slipway-sign-in']).toBeFalsy();
      },
    );
    await fc.assert(property, runs);
  });
});
