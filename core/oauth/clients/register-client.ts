import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ClientAuthMethod, oauthScopes } from '../../../contract/oauth/oauth.ts';
import type { Caller } from '../../caller.ts';
import { epochSeconds, instant, plusSeconds } from '../../instants.ts';
import { countByAddress } from '../../limits/address-limits.ts';
import { hashSecretText } from '../../secret-text.ts';
import { clientName, type RegisteredClient, unconnectedClientSeconds } from './client.ts';
import { OAuthError } from '../oauth-error.ts';
import type { OAuthDeps } from '../ports.ts';
import { redirectHost, redirectTarget, requireRedirectUris } from './redirect-uri.ts';
import { newSecret } from '../tokens/tokens.ts';

/** The limit of registrations from one address, for all apps together. */
const addressLimit = { limit: 1200, windowSeconds: 3600 };
/**
 * The limit for one hosted app from one address. Such an app registers one client for each of its
 * users, and several of them may share the addresses of a cloud: one must not use up the limit of
 * the others.
 */
const hostedAppLimit = { limit: 600, windowSeconds: 3600 };
/** The limit for all apps on people's computers from one address. */
const localAppsLimit = { limit: 120, windowSeconds: 3600 };

/** The dependencies for registering. */
export type RegisterDeps = Pick<OAuthDeps, 'counters' | 'clients' | 'keyPrefix' | 'now'>;

/**
 * Dynamic client registration (RFC 7591); `metadata` is the JSON body as it was sent. Unknown fields
 * are ignored.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata
 * @throws CodedError RATE_LIMITED
 */
export async function registerClient(
  deps: RegisterDeps,
  caller: Caller,
  metadata: unknown,
): Promise<Record<string, unknown>> {
  const now = deps.now();
  const ofAll = { name: 'oauth-clients', rule: addressLimit, what: 'registrations of apps' };
  await countByAddress(deps.counters, caller, ofAll, now);
  const { data: sent } = z.record(z.string(), z.unknown()).safeParse(metadata);
  if (sent === undefined) {
    throw new OAuthError('invalid_client_metadata', 'Send a JSON object with redirect_uris.');
  }
  const authMethod = authMethodOf(sent['token_endpoint_auth_method']);
  const secret = authMethod === 'none' ? undefined : newSecret(deps.keyPrefix, 'client');
  const client: RegisteredClient = {
    kind: 'registered',
    id: randomUUID(),
    name: clientName(sent['client_name']),
    redirectUris: requireRedirectUris(sent['redirect_uris']),
    authMethod,
    ...(secret !== undefined && { secretHash: hashSecretText(secret) }),
    createdAt: instant(now),
    expiresAt: instant(plusSeconds(now, unconnectedClientSeconds)),
  };
  const { app, rule } = countedApp(client, sent['software_id']);
  const ofApp = {
    name: `oauth-clients#${app}`,
    rule,
    what: 'registrations of this app',
  };
  await countByAddress(deps.counters, caller, ofApp, now);
  await deps.clients.register(client);
  return registrationResponse(client, secret);
}

/**
 * Identifies an app by its registration: its software id (or name) and the host of its redirect
 * URIs. Apps on people's computers count as one app, because they could choose any name.
 */
function countedApp({ name, redirectUris }: RegisteredClient, softwareId: unknown) {
  const [uri = ''] = redirectUris;
  if (redirectTarget(uri).kind !== 'site') return { app: 'local', rule: localAppsLimit };
  const software = typeof softwareId === 'string' ? softwareId : name;
  const app = hashSecretText(JSON.stringify([software, redirectHost(uri)])).slice(0, 22);
  return { app, rule: hostedAppLimit };
}

/**
 * A client that omits the method gets `none`, although RFC 7591 §2 says `client_secret_basic`: such clients
 * are apps on a person's computer, which cannot keep a secret and send none. The answer
 * names the method, as §3.2.1 allows.
 */
function authMethodOf(sent: unknown): ClientAuthMethod {
  if (sent === undefined || sent === null) return 'none';
  const { data: method } = ClientAuthMethod.safeParse(sent);
  if (method !== undefined) return method;
  throw new OAuthError(
    'invalid_client_metadata',
    `token_endpoint_auth_method must be one of ${ClientAuthMethod.options.join(', ')}.`,
  );
}

/** The registration response (RFC 7591 §3.2.1). */
function registrationResponse(client: RegisteredClient, secret: string | undefined) {
  return {
    client_id: client.id,
    client_id_issued_at: epochSeconds(new Date(client.createdAt)),
    ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: client.name,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.authMethod,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: oauthScopes.join(' '),
  };
}
