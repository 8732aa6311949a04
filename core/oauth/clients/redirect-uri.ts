import { OAuthError } from '../oauth-error.ts';
import { isPrivateUseUri } from './private-use-uri.ts';

const maxUris = 20;
const maxLength = 2048;
/** Of all of a client's; what strangers register is kept for months. */
const maxTogether = 8192;

/** Told by the text: parsers also take `http://2130706433` for a loopback address. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/;

/**
 * The redirect URIs of a client, unchanged.
 * @throws OAuthError invalid_redirect_uri
 */
export function requireRedirectUris(sent: unknown): string[] {
  if (!Array.isArray(sent) || sent.length === 0) {
    throw refused('redirect_uris must be a list of at least one URI.');
  }
  if (sent.length > maxUris) throw refused(`redirect_uris may hold ${maxUris} URIs at most.`);
  const uris = sent.map((uri: unknown, index) =>
    requireRedirectUri(uri, `redirect_uris[${index}]`),
  );
  if (uris.join('').length > maxTogether) {
    throw refused(`redirect_uris may hold ${maxTogether} characters at most.`);
  }
  return uris;
}

/**
 * Whether answers may be sent to a URI at all. Asked again at every request: a client may have been
 * stored when more was allowed.
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

/** Whether codes may be sent there: exactly a registered one, or that loopback address on any port (RFC 8252 §7.3). */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const portless = withoutPort(asked);
  return (
    portless !== undefined &&
    URL.canParse(asked) &&
    registered.some((uri) => withoutPort(uri) === portless)
  );
}

/** Where a redirect URI leads, as a person is told it: a host, or the scheme that opens an app. */
export function redirectHost(uri: string): string {
  const { protocol, host, hostname } = new URL(uri);
  if (protocol === 'http:') return hostname;
  if (protocol === 'https:') return host;
  return host === '' ? protocol : `${protocol}//${host}`;
}

function requireRedirectUri(uri: unknown, name: string): string {
  if (typeof uri !== 'string' || uri.length > maxLength) {
    throw refused(`${name} must be a URI of at most ${maxLength} characters.`);
  }
  // The characters of RFC 3986, but no fragment: it goes into a header as it is.
  if (!/^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/.test(uri) || !URL.canParse(uri)) {
    throw refused(`${name} must be an absolute URI in ASCII without a fragment.`);
  }
  const { username, password } = new URL(uri);
  if (username !== '' || password !== '') throw refused(`${name} must not hold a user name.`);
  if (/^https:\/\/[^/?]/.test(uri) || loopback.test(uri) || isPrivateUseUri(uri)) return uri;
  throw refused(
    `${name} must begin with https://, be http:// on 127.0.0.1, [::1] or localhost, or have a scheme with the name of a domain in reverse, such as com.example.app:/callback.`,
  );
}

/** A loopback URI without its port, and with the slash that an empty path stands for. */
function withoutPort(uri: string): string | undefined {
  const [start, host] = loopback.exec(uri) ?? [];
  if (start === undefined) return undefined;
  const rest = uri.slice(start.length);
  return `http://${host}${rest.startsWith('/') ? '' : '/'}${rest}`;
}

function refused(description: string): OAuthError {
  return new OAuthError('invalid_redirect_uri', description);
}
