import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, ask, baseUrl, isLocal, somebody } from '../../fixtures/clouds/client.ts';
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

  test.each(['authorization_code', 'refresh_token'])('for tokens by %s', async (grantType) => {
    const right = {
      client_id: app.clientId,
      grant_type: grantType,
      code: 'sw_oauth_code_none',
      code_verifier: pkce().verifier,
      redirect_uri: app.redirectUri,
      refresh_token: 'sw_oauth_refresh_none',
      resource: `${baseUrl}${oauthPaths.mcp}`,
      scope: 'projects:read',
    };
    const property = fc.asyncProperty(almost(right), async (body) => {
      const answer = await new Person().send(`${baseUrl}${oauthPaths.token}`, body);
      expectAnswered(body, answer);
      expect([400, 401]).toContain(answer.status);
      expect(answer.json.error).toMatch(/^(?:invalid|unsupported)_[a-z_]+$/);
    });
    await fc.assert(property, runs);
  });

  test('for registration: an answer echoes every redirect unchanged', async () => {
    const aFact = fc.oneof(aText, fc.jsonValue({ maxDepth: 2 }));
    const redirects = fc.oneof(
      fc.array(aText, { maxLength: 4 }),
      { weight: 4, arbitrary: fc.constant(['https://app.example/cb?x=%2f&%C3%A9']) },
      aFact,
    );
    const metadata = fc.record(
      {
        redirect_uris: redirects,
        client_name: aFact,
        client_uri: aFact,
        grant_types: aFact,
        response_types: aFact,
        scope: aFact,
        token_endpoint_auth_method: fc.oneof(
          { weight: 4, arbitrary: fc.constantFrom('none', 'client_secret_post') },
          fc.constant('private_key_jwt'),
          aFact,
        ),
        jwks: aFact,
      },
      { requiredKeys: ['redirect_uris'] },
    );
    let registered = 0;
    const property = fc.asyncProperty(metadata, async (sent) => {
      const answer = await ask(baseUrl + oauthPaths.register, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
        from: somebody(),
      });
      expectAnswered(sent, answer);
      const { redirect_uris: echoed, error } = answer.json;
      if (answer.status === 201) expect(echoed).toEqual(sent.redirect_uris);
      else expect(error).toMatch(/^invalid_(?:redirect_uri|client_metadata)$/);
      registered += answer.status === 201 ? 1 : 0;
    });
    await fc.assert(property, runs);
    expect(registered).toBeGreaterThan(2);
  });
});

local('calls of tools that are almost right are answered as JSON-RPC has it', () => {
  const tools = [
    'publish_site',
    'create_upload_link',
    'list_projects',
    'get_project',
    'get_qr_code',
    'get_link_opens',
    'create_share_link',
    'list_share_links',
    'update_project_files',
    'update_project_settings',
    'delete_project',
    'get_account',
    'toString',
    '',
  ];
  const fields = [
    'projectId',
    'title',
    'slug',
    'files',
    'zipBase64',
    'access',
    'password',
    'expiresIn',
    'mode',
    'delete',
    'cursor',
    'limit',
    'expectedVersion',
    'window',
    'path',
    'content',
    'encoding',
    '__proto__',
  ];
  const aProjectId = fc.oneof(fc.constant('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11'), aText);
  const aFile = fc.record(
    { path: aText, content: aText, encoding: fc.constantFrom('utf8', 'base64', 'x') },
    { requiredKeys: [] },
  );
  const anArgument = fc.oneof(aText, fc.jsonValue({ maxDepth: 2 }), fc.array(aFile), aProjectId);
  const call = fc.record({
    name: fc.constantFrom(...tools),
    arguments: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.dictionary(fc.constantFrom(...fields), anArgument, { maxKeys: 4 }),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    ),
  });
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '2.0', '1.0', 2),
      id: fc.oneof(fc.integer(), fc.constantFrom('a', null, 1.5, {}, -0)),
      method: fc.oneof(
        { weight: 4, arbitrary: fc.constant('tools/call') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'tools/list',
            'initialize',
            'server/discover',
            'subscriptions/listen',
            'resources/read',
            'notifications/cancelled',
            'completion/complete',
            'logging/setLevel',
            'ping',
            'x',
          ),
        },
      ),
      params: fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: fc.jsonValue() }),
    },
    { requiredKeys: ['jsonrpc', 'method'] },
  );

  test.each([
    ['no version', {}],
    ['the version of 2025', { 'mcp-protocol-version': '2025-11-25' }],
    ['the version of 2026', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }],
  ])('with %s', async (_, headers) => {
    const authorization = `Bearer ${await signIn()}`;
    const property = fc.asyncProperty(message, async (sent) => {
      const answer = await ask(baseUrl + oauthPaths.mcp, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization, ...headers },
        body: JSON.stringify(sent),
      });
      expectAnswered(sent, answer);
      if (answer.status === 202) return;
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.json).toMatchObject({ jsonrpc: '2.0' });
      expect(answer.json.error?.code).not.toBe(-32_603);
      const [said] = answer.json.result?.content ?? [];
      if (answer.json.result?.isError === true) expectNoInsides(said.text);
    });
    await fc.assert(property, runs);
  });
});
