import * as z from 'zod';
import { type ClientMetadata, clientName } from './client.ts';
import { OAuthError } from '../oauth-error.ts';
import { requireRedirectUris } from './redirect-uri.ts';

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
  const { data: document, error } = Document.safeParse(parseJson(text));
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}

function redirectUris(sent: unknown): string[] {
  try {
    return requireRedirectUris(sent);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    throw new Error(error.message, { cause: error });
  }
}
