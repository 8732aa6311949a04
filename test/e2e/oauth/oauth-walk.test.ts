import { describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { bearerChallenge, mcpResource, oauthScopes } from '../../../contract/oauth/oauth.ts';
import { ask, baseUrl, isLocal } from '../../fixtures/clouds/client.ts';
import { Person } from '../../fixtures/agents/oauth.ts';
import {
  type AuthMethod,
  fetchFrom,
  listTools,
  OAuthApp,
} from '../../fixtures/agents/oauth-app.ts';

// The codes of a sign-in are read from the local inbox.
const local = isLocal ? describe : describe.skip;

const options = () => ({
  [oauth.allowInsecureRequests]: isLocal,
  [oauth.customFetch]: fetchFrom(),
});

/** A refused token: 401 with the challenge, and nothing of our insides. */
async function expectDead(token: string): Promise<void> {
  const answer = await listTools(token);
  expect({ status: answer.status, body: answer.text }).toMatchObject({ status: 401 });
  expect(answer.headers['www-authenticate']).toBe(
    bearerChallenge(baseUrl, { error: 'invalid_token' }),
  );
}

local('an app with oauth4webapi', () => {
  const redirectUri = 'http://127.0.0.1:49152/callback';
  const methods: [AuthMethod, (secret: string) => oauth.ClientAuth][] = [
    ['none', () => oauth.None()],
    ['client_secret_post', oauth.ClientSecretPost],
    ['client_secret_basic', oauth.ClientSecretBasic],
  ];

  test.each(methods)(
    'completes every step from a challenge to a revoked grant with %s',
    async (method, prove) => {
      const resource = new URL(mcpResource(baseUrl));
      const challenged = oauth
        .protectedResourceRequest('no-token', 'POST', resource, undefined, undefined, options())
        .catch((error: unknown) => error);
      const { cause: challenges, status } =
        (await challenged) as oauth.WWWAuthenticateChallengeError;
      expect({ status, challenges }).toMatchObject({
        status: 401,
        challenges: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
      });
      const { resource_metadata: metadataUrl } = challenges[0]?.parameters ?? {};
      expect(metadataUrl).toBe(`${baseUrl}/.well-known/oauth-protected-resource/mcp`);

      const described = await oauth.processResourceDiscoveryResponse(
        resource,
        await oauth.resourceDiscoveryRequest(resource, options()),
      );
      const [issuer = ''] = described.authorization_servers ?? [];
      expect(issuer).toBe(baseUrl);
      const server = await oauth.processDiscoveryResponse(
        new URL(issuer),
        await oauth.discoveryRequest(new URL(issuer), { ...options(), algorithm: 'oauth2' }),
      );
      // Byte for byte: `new URL` would have let a trailing slash pass.
      expect(server.issuer).toBe(issuer);

      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(
          server,
          {
            client_name: 'Tide table',
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: method,
          } as Partial<oauth.Client>,
          options(),
        ),
      );
      expect(client).toMatchObject({
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: method,
      });
      expect(typeof client['client_secret']).toBe(method === 'none' ? 'undefined' : 'string');

      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const requestUrl = new URL(server.authorization_endpoint ?? '');
      requestUrl.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        scope: oauthScopes.join(' '),
        resource: described.resource,
        state,
      }).toString();
      const callback = new URL(await new Person().decide(requestUrl.href));
      expect(callback.href.startsWith(`${redirectUri}?`)).toBe(true);
      expect(callback.searchParams.get('iss')).toBe(issuer);
      const answered = oauth.validateAuthResponse(server, client, callback, state);

      const proof = prove(String(client['client_secret']));
      const first = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          proof,
          answered,
          redirectUri,
          verifier,
          { ...options(), additionalParameters: { resource: described.resource } },
        ),
      );
      expect(first.scope).toBe(oauthScopes.join(' '));
      expect(first.expires_in).toBe(3600);
      expect((await listTools(first.access_token)).status).toBe(200);

      const second = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          proof,
          String(first.refresh_token),
          options(),
        ),
      );
      expect(second.access_token).not.toBe(first.access_token);
      expect(second.refresh_token).not.toBe(first.refresh_token);
      expect((await listTools(second.access_token)).status).toBe(200);

      await oauth.processRevocationResponse(
        await oauth.revocationRequest(
          server,
          client,
          proof,
          String(second.refresh_token),
          options(),
        ),
      );
      await expectDead(second.access_token);
      await expectDead(first.access_token);
      const dead = await oauth.refreshTokenGrantRequest(
        server,
        client,
        proof,
        String(second.refresh_token),
        options(),
      );
      await expect(oauth.processRefreshTokenResponse(server, client, dead)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      });
    },
  );
});

local('an access token', () => {
  test('is read only from the header, with any case of its scheme', async () => {
    const { access_token: token } = await (await new OAuthApp().register()).connect(new Person());
    const mcp = `${baseUrl}/mcp`;
    const call = (url: string, authorization?: string) =>
      ask(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await call(mcp, `${scheme} ${token}`)).status).toBe(200);
    for (const scheme of ['Basic', 'Token', ''])
      expect((await call(mcp, `${scheme} ${token}`)).status).toBe(401);
    expect((await call(`${mcp}?access_token=${token}`)).status).toBe(401);
  });
});
