import { isLoopback } from '../../../contract/oauth/loopback.ts';
import { OAuthError } from '../oauth-error.ts';

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

/** An app whose scheme has no dot, and its callback addresses. */
interface KnownApp {
  scheme: string;
  /** Matches the whole URI without its query. Other addresses of these schemes trigger actions: install an extension, open a chat. */
  callback: RegExp;
}

/**
 * Apps that use a scheme without a dot, although RFC 8252 §7.1 requires a reversed domain name:
 * real clients that could not connect otherwise. `docs/interop.md` has the source of each.
 * Claude and ChatGPT are not among them: their callbacks are `https` or loopback.
 */
const knownApps: readonly KnownApp[] = [
  // Cursor registers this URI together with two others, and gives up if one of the three is refused.
  {
    scheme: 'cursor',
    callback: /^cursor:\/\/anysphere\.cursor-(?:mcp|retrieval)\/oauth\/(?:[\w-]+\/)?callback$/,
  },
  // VS Code and its Insiders build: the handler for sign-ins.
  {
    scheme: 'vscode',
    callback: /^vscode:\/\/vscode\.github-authentication\/did-authenticate$/,
  },
  {
    scheme: 'vscode-insiders',
    callback: /^vscode-insiders:\/\/vscode\.github-authentication\/did-authenticate$/,
  },
  // Windsurf, if it does not listen on a loopback port.
  { scheme: 'windsurf', callback: /^windsurf:\/\/codeium\.windsurf\/callback$/ },
  // Zed, if it does not listen on a loopback port.
  { scheme: 'zed', callback: /^zed:\/\/oauth\/callback$/ },
  // MCPJam's desktop inspector: its metadata document lists both beside loopback ones.
  { scheme: 'mcpjam', callback: /^mcpjam:\/\/(?:oauth|authkit)\/callback$/ },
];

/** A reversed domain name, as RFC 8252 §7.1 requires: `com.example.app`. */
const domainScheme = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+$/;

/** Schemes with a dot that the operating system handles, not an installed app. */
const systemSchemes = /^(?:ms-|microsoft\.|windows\.|x-apple\.|com\.(?:apple|microsoft|android)\.)/;

/**
 * Whether a URI has the private-use scheme of an app. A scheme is allowed by its
 * form or by the list above. A list of forbidden schemes would not be enough: those that an operating system and
 * its programs handle (`ms-msdt`, `search-ms`, `itms-services`) increase with every release.
 */
function isPrivateUseUri(uri: string): boolean {
  const [withoutQuery = ''] = uri.split('?');
  const [, scheme] = /^([^:/?#]+):\//.exec(withoutQuery) ?? [];
  if (scheme === undefined) return false;
  const known = knownApps.find((app) => app.scheme === scheme);
  if (known !== undefined) return known.callback.test(withoutQuery);
  // Schemes are case-insensitive: `X-Apple.…` is `x-apple.…`.
  const lower = scheme.toLowerCase();
  return domainScheme.test(lower) && !systemSchemes.test(lower);
}
