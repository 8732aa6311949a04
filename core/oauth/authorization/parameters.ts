import { OAuthError } from '../oauth-error.ts';

/** The value of a parameter; an empty one counts as left out (RFC 6749 §3.1). */
export function parameter(sent: URLSearchParams, name: string): string | undefined {
  const value = sent.get(name);
  return value === null || value === '' ? undefined : value;
}

/**
 * Refuses a parameter that came more than once (RFC 6749 §3.1): two readers may take different ones.
 * Parameters that nobody here reads are left alone.
 * @throws OAuthError invalid_request
 */
export function requireSingle(sent: URLSearchParams, names: readonly string[]): void {
  const repeated = names.find((name) => sent.getAll(name).length > 1);
  if (repeated !== undefined) {
    throw new OAuthError('invalid_request', `Send ${repeated} once.`);
  }
}
