import type { Caller, SessionCaller } from '../caller.ts';
import { instant } from '../instants.ts';
import { effectiveTier } from './account.ts';
import type { SessionStore } from './ports.ts';
import { hashSessionToken, newSessionToken, sessionFrom } from './session.ts';
import { type ProveAddressDeps, type Proof, proveAddress, provision } from './verify-code.ts';

/** What signing a browser in needs. */
export interface OpenSessionDeps extends ProveAddressDeps {
  sessions: SessionStore;
}

/**
 * Turns a code into a session; its token is told once, to the cookie.
 * @throws CodedError those of proveAddress
 */
export async function openSession(deps: OpenSessionDeps, caller: Caller, proof: Proof) {
  const { id, email } = await proveAddress(deps, caller, proof);
  const now = deps.now();
  const token = newSessionToken();
  const session = sessionFrom({ accountId: id, createdAt: instant(now) }, now);
  await provision(caller, () => deps.sessions.put(hashSessionToken(token), session));
  return { email, token, expiresAt: session.expiresAt };
}

/** Who is signed in in this browser, and until when. */
export function describeWebSession(deps: { now(): Date }, { account, session }: SessionCaller) {
  const plan = effectiveTier(account, deps.now());
  return { email: account.email, plan, expiresAt: session.expiresAt };
}

/** Signs a browser out; nothing happens where nobody is signed in. */
export async function endSession(
  deps: { sessions: Pick<SessionStore, 'end'> },
  token: string | undefined,
) {
  if (token !== undefined) await deps.sessions.end(hashSessionToken(token));
  return { signedOut: true };
}
