import type { OAuthError } from '../oauth-error.ts';
import type { OAuthDeps } from '../ports.ts';

/** Where an answer goes. */
export interface AnswerTo {
  redirectUri: string;
  /** As the client sent it. */
  state: string | undefined;
}

/** The redirect URI with a code (RFC 6749 §4.1.2). */
export function answerWithCode(
  deps: Pick<OAuthDeps, 'baseUrl' | 'sendsIssuer'>,
  to: AnswerTo,
  code: string,
): string {
  return answer(deps, to, { code });
}

/** The redirect URI with an error (RFC 6749 §4.1.2.1). */
export function answerWithError(
  deps: Pick<OAuthDeps, 'baseUrl' | 'sendsIssuer'>,
  to: AnswerTo,
  { code: error, message }: OAuthError,
): string {
  return answer(deps, to, { error, error_description: message });
}

function answer(
  { baseUrl, sendsIssuer }: Pick<OAuthDeps, 'baseUrl' | 'sendsIssuer'>,
  { redirectUri, state }: AnswerTo,
  outcome: Record<string, string>,
): string {
  const parameters = {
    ...outcome,
    ...(state !== undefined && { state }),
    ...(sendsIssuer && { iss: baseUrl }),
  };
  // Spaces as %20: not every client reads a `+` as one.
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`);
  // Appended to the text: a client compares what it gets with what it registered.
  const separator = /[?&]$/.test(redirectUri) ? '' : redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${added.join('&')}`;
}

/** Percent-encoded; half a surrogate pair, which has no encoding, as U+FFFD. */
function encode(value: string): string {
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
}
