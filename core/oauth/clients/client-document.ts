import * as z from 'zod';
import { clientName } from './client-name.ts';
import type { ClientMetadata } from './client.ts';
import { OAuthError } from '../oauth-error.ts';
import { requireRedirectUris } from './redirect-uri.ts';

const maxLength = 1024;

/** Methods of clients that have no secret in common with us; see {@link readClientDocument}. */
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
 * The address of a client's own metadata, if its id is one: HTTPS with a path, written the one way
 * that needs no change to be called. A number in place of a host's name is none.
 */
export function documentUrl(clientId: string): URL | undefined {
  if (clientId.length > maxLength || !clientId.startsWith('https://')) return undefined;
  if (!URL.canParse(clientId)) return undefined;
  const url = new URL(clientId);
  const isPlain =
    // Parsing takes out dot segments, a default port and letters that are not in ASCII.
    url.href === clientId &&
    url.port === '' &&
    url.pathname !== '/' &&
    !/[#@]/.test(clientId) &&
    /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(url.hostname);
  return isPlain ? url : undefined;
}

/**
 * What a Client ID Metadata Document says; throws why it cannot be used.
 *
 * Its client is a public one: PKCE ties its codes to it. Documents that name `private_key_jwt` as
 * well are taken, because ChatGPT's does; what such a client signs is not asked for.
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
