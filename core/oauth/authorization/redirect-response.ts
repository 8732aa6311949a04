import type { OAuthError } from '../oauth-error.ts';
import type { OAuthDeps } from '../ports.ts';

/** Where to redirect the browser. */
export interface RedirectDestination {
  redirectUri: string;
  /** As the client sent it. */
  state: string | undefined;
}

/** The redirect URI with a code (RFC 6749 §4.1.2). */
export function codeRedirect(
  deps: Pick<OAuthDeps, 'baseUrl'>,
  destination: RedirectDestination,
  code: string,
): string {
  return redirectWith(deps, destination, { code });
}

/** The redirect URI with an error (RFC 6749 §4.1.2.1). */
export function errorRedirect(
  deps: Pick<OAuthDeps, 'baseUrl'>,
  destination: RedirectDestination,
  { code: error, message }: OAuthError,
): string {
  return redirectWith(deps, destination, { error, error_description: message });
}

function redirectWith(
  { baseUrl }: Pick<OAuthDeps, 'baseUrl'>,
  { redirectUri, state }: RedirectDestination,
  outcome: Record<string, string>,
): string {
  const parameters = {
    ...outcome,
    ...(state !== undefined && { state }),
    iss: baseUrl,
  };
  // Spaces are encoded as %20, because not every client decodes `+`.
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`);
  // Appended as text, because a client may compare the address with the registered one.
  const separator = /[?&]$/.test(redirectUri) ? '' : redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${added.join('&')}`;
}

/** Percent-encodes a text; a lone surrogate, which has no encoding, becomes U+FFFD. */
function encode(value: string): string {
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
}
