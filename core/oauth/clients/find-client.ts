import { parseJson } from '../../json.ts';
import * as z from 'zod';
import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { hasExpired, instant, plusSeconds } from '../../instants.ts';
import { beginAtOnce, countByAddress } from '../../limits/address-limits.ts';
import {
  type ClientMetadata,
  clientName,
  type DocumentClient,
  type StoredClient,
  unusedDocumentSeconds,
} from './client.ts';
import type { OAuthDeps } from '../ports.ts';
import { OAuthError } from '../oauth-error.ts';
import { requireRedirectUris } from './redirect-uri.ts';

const documentFreshSeconds = 3600;
/** After a failure, the document is not fetched again for this time. */
const failureSeconds = 60;
const maxFailureCharacters = 200;

/** Limited, because each fetch makes this service call a host that a stranger chose. */
const documentFetchLimit = { limit: 60, windowSeconds: 3600 };

/** A host that answers slowly keeps a function busy for ten seconds (`client-documents.ts`). */
const documentsAtOnce = { name: 'fetching-documents', limit: 3, maxSeconds: 10 };

/** The dependencies for finding a client. */
export type FindClientDeps = Pick<OAuthDeps, 'clients' | 'counters' | 'documents' | 'now'>;

/** A client that requests access. */
export interface FoundClient extends ClientMetadata {
  id: string;
  /** Host of its metadata document; null for a registered client. */
  host: string | null;
}

/** The client with this id, or a text for people that says why it cannot be used. */
export async function findClient(
  deps: FindClientDeps,
  caller: Caller,
  clientId: string,
): Promise<FoundClient | { problem: string }> {
  const now = deps.now();
  const url = documentUrl(clientId);
  if (url === undefined) {
    const client = await storedClient(deps, clientId);
    return client?.kind === 'registered' ? { ...client, host: null } : { problem: unknownClient };
  }
  const known = await storedClient(deps, clientId);
  const fresh =
    known?.kind === 'document' && Date.parse(known.freshUntil) > now.getTime()
      ? known
      : await refreshDocument(deps, caller, url);
  const { metadata, failure } = fresh;
  return metadata === undefined || failure !== undefined
    ? { problem: `The app's metadata document at ${clientId} cannot be used: ${failure}.` }
    : { ...metadata, id: clientId, host: url.host };
}

/** A stored client that has not expired. */
export async function storedClient(
  { clients, now }: Pick<OAuthDeps, 'clients' | 'now'>,
  clientId: string,
): Promise<StoredClient | undefined> {
  const canBe = /^[0-9a-f-]{36}$/.test(clientId) || documentUrl(clientId) !== undefined;
  const client = canBe ? await clients.find(clientId) : undefined;
  return client === undefined || hasExpired(client, now()) ? undefined : client;
}

async function refreshDocument(
  deps: FindClientDeps,
  caller: Caller,
  url: URL,
): Promise<DocumentClient> {
  const now = deps.now();
  const fetches = {
    name: 'oauth-documents',
    rule: documentFetchLimit,
    what: 'fetches of app metadata',
  };
  await countByAddress(deps.counters, caller, fetches, now);
  const end = await beginAtOnce(deps.counters, caller.address, documentsAtOnce, now);
  if (end === undefined) {
    throw new CodedError('RATE_LIMITED', {
      error: 'Several documents of apps are being fetched for your network.',
      retryAfterSeconds: documentsAtOnce.maxSeconds,
    });
  }
  const read = await fetchDocument(deps, url);
  await end();
  const freshSeconds = 'failure' in read ? failureSeconds : documentFreshSeconds;
  const document: DocumentClient = {
    kind: 'document',
    id: url.href,
    ...read,
    freshUntil: instant(plusSeconds(now, freshSeconds)),
    expiresAt: instant(plusSeconds(now, unusedDocumentSeconds)),
  };
  await deps.clients.storeDocument(document);
  return document;
}

async function fetchDocument({ documents }: FindClientDeps, url: URL) {
  try {
    return { metadata: readClientDocument(url.href, await documents.fetch(url)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { failure: reason.slice(0, maxFailureCharacters) };
  }
}

const unknownClient =
  'The app is not registered here, was not connected within 7 days, or was not used for 90 days. Remove the connection in the app and add it again.';

const maxLength = 1024;

/** Authentication methods that need no shared secret; see {@link readClientDocument}. */
const openMethods = ['none', 'private_key_jwt'];

const Document = z.looseObject({
  client_id: z.string(),
  client_name: z.unknown().optional(),
  redirect_uris: z.unknown().optional(),
  client_secret: z.undefined().optional(),
  token_endpoint_auth_method: z.string().default('none'),
  token_endpoint_auth_methods_supported: z.array(z.unknown()).default([]),
});

/**
 * The address of a client's metadata document, if its id is one: an HTTPS URL with a path, in normalized
 * form. An IP address instead of a host name is refused.
 */
export function documentUrl(clientId: string): URL | undefined {
  if (clientId.length > maxLength || !clientId.startsWith('https://')) return undefined;
  const url = URL.parse(clientId);
  if (url === null) return undefined;
  const isPlain =
    // Parsing normalizes dot segments, a default port and non-ASCII letters.
    url.href === clientId &&
    url.port === '' &&
    url.pathname !== '/' &&
    !/[#@]/.test(clientId) &&
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(url.hostname);
  return isPlain ? url : undefined;
}

/**
 * Reads a Client ID Metadata Document; throws the reason if it cannot be used.
 *
 * Such a client is a public client: PKCE binds codes to it. Documents that also list `private_key_jwt`
 * are accepted, because ChatGPT's does; signatures of such a client are not checked.
 */
export function readClientDocument(clientId: string, text: string): ClientMetadata {
  const sent = parseJson(text);
  if (sent === undefined) throw new Error('it is not JSON');
  const { data: document, error } = Document.safeParse(sent);
  if (document === undefined) {
    const [issue] = error.issues;
    throw new Error(`its ${issue?.path.join('.') || 'content'} cannot be used`);
  }
  if (document.client_id !== clientId) throw new Error('its client_id is not its own address');
  const methods = [
    document.token_endpoint_auth_method,
    ...document.token_endpoint_auth_methods_supported,
  ];
  if (!methods.some((method) => openMethods.includes(String(method)))) {
    throw new Error('its token_endpoint_auth_method is not none');
  }
  return {
    name: clientName(document.client_name),
    redirectUris: redirectUris(document.redirect_uris),
  };
}

function redirectUris(sent: unknown): string[] {
  try {
    return requireRedirectUris(sent);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new Error(error.message, { cause: error });
  }
}
