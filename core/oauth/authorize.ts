import type { Account } from '../accounts/account.ts';
import type { Caller } from '../caller.ts';
import type { AuthorizationRequest, AuthorizationStep } from './authorization-request.ts';
import type { OAuthDeps } from './ports.ts';

/**
 * What is to be done with a request to the authorization endpoint; `query` as it was sent.
 * @throws CodedError RATE_LIMITED for too many clients whose documents had to be read
 */
export async function readAuthorization(
  _deps: OAuthDeps,
  _caller: Caller,
  _query: URLSearchParams,
): Promise<AuthorizationStep> {
  throw new Error('not yet');
}

/** The person allowed it: makes a grant and a code; where to send them. */
export async function allow(
  _deps: OAuthDeps,
  _account: Account,
  _request: AuthorizationRequest,
): Promise<string> {
  throw new Error('not yet');
}

/** The person refused: where to send them. */
export function deny(_deps: OAuthDeps, _request: AuthorizationRequest): string {
  throw new Error('not yet');
}
