import { isLoopback } from '../../../contract/oauth/loopback.ts';
import { OAuthError } from '../oauth-error.ts';
import { isPrivateUseUri } from './private-use-uri.ts';

const maxUris = 20;
const maxLength = 2048;
/** Total length of a client's URIs; registrations of strangers are stored for months. */
const maxTotalLength = 8192;

/** Compares the text, because URL parsers also accept `http://2130706433` as a loopback address. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Checks the redirect URIs of a client and returns them unchanged.
 * @throws OAuthError invalid_redirect_uri
 */
export function requireRedirectUris(sent: unknown): string[] {
  if (!Array.isArray(sent) || sent.length === 0) {
    throw invalidRedirectUri('redirect_uris must be a list of at least one URI.');
  }
  if (sent.length > maxUris)
    throw invalidRedirectUri(`redirect_uris must have at most ${maxUris} URIs.`);
  const uris = sent.map((uri: unknown, index) =>
    requireRedirectUri(uri, `redirect_uris[${index}]`),
  );
  if (uris.join('').length > maxTotalLength) {
    throw invalidRedirectUri(
      `redirect_uris must have at most ${maxTotalLength} characters in total.`,
    );
  }
  return uris;
}

/**
 * Whether a redirect URI is allowed at all. Checked at every request, because a client may have been
 * stored when the rules were different.
 */
export function isAllowedRedirectUri(uri: string): boolean {
  try {
    requireRedirectUri(uri, 'redirect_uri');
    return true;
  } catch (error) {
    if (error instanceof OAuthError) return false;
    throw error;
  }
}

/** Whether a URI is registered: an exact match, or a loopback address with any port (RFC 8252 §7.3). */
export function isRegistered(registered: readonly string[], requestedUri: string): boolean {
  if (registered.includes(requestedUri)) return true;
  const requestedWithoutPort = withoutPort(requestedUri);
  return (
    requestedWithoutPort !== undefined &&
    URL.parse(requestedUri) !== null &&
    registered.some((uri) => withoutPort(uri) === requestedWithoutPort)
  );
}

/** The target of a redirect URI as a text for people: a host, or the scheme of an app. */
export function redirectHost(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === 'http:') return hostname;
  if (protocol === 'https:') return host;
  return host === '' ? protocol : `${protocol}//${host}`;
}

function requireRedirectUri(uri: unknown, name: string): string {
  if (typeof uri !== 'string' || uri.length > maxLength) {
    throw invalidRedirectUri(`${name} must be a URI of at most ${maxLength} characters.`);
  }
  // Only characters of RFC 3986 and no fragment, because the URI is copied to a header unchanged.
  const url = URL.parse(uri);
  if (!/^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/.test(uri) || url === null) {
    throw invalidRedirectUri(`${name} must be an absolute URI in ASCII without a fragment.`);
  }
  const { username, password } = url;
  if (username !== '' || password !== '')
    throw invalidRedirectUri(`${name} must not contain a user name or password.`);
  if (/^https:\/\/[^/?]/.test(uri) || loopback.test(uri) || isPrivateUseUri(uri)) return uri;
  throw invalidRedirectUri(
    `${name} must begin with https://, be http:// on 127.0.0.1, [::1] or localhost, or have a reversed domain name as its scheme, such as com.example.app:/callback.`,
  );
}

/** A loopback URI without its port; an empty path becomes `/`. */
function withoutPort(uri: string): string | undefined {
  const [start, host] = loopback.exec(uri) ?? [];
  if (start === undefined) return undefined;
  const rest = uri.slice(start.length);
  return `http://${host}${rest.startsWith('/') ? '' : '/'}${rest}`;
}

function invalidRedirectUri(description: string): OAuthError {
  return new OAuthError('invalid_redirect_uri', description);
}

/** The target of a redirect, in the form that people see. */
export type RedirectTarget =
  | { kind: 'site'; host: string }
  | { kind: 'this-computer' }
  | { kind: 'app'; scheme: string };

/** The target of a redirect URI. Hosts are shown in ASCII, so that look-alike letters are visible. */
export function redirectTarget(uri: string): RedirectTarget {
  const { protocol, host } = new URL(uri);
  const scheme = protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return { kind: 'app', scheme };
  if (isLoopback(host)) return { kind: 'this-computer' };
  return { kind: 'site', host };
}
