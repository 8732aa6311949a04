import type { Instant } from '../../../contract/fields.ts';
import type { Caller, SessionCaller } from '../../caller.ts';
import { type Account, effectiveTier } from '../account.ts';
import { browserFacts } from './browser-facts.ts';
import {
  type KnownBrowserStore,
  type RecognisedBrowser,
  recogniseBrowser,
} from './known-browser.ts';
import type { SessionStore } from '../ports.ts';
import {
  type Proof,
  type ProveAddressDeps,
  proveAddress,
  provision,
} from '../sign-in/prove-address.ts';
import { endOf, hashSessionToken, newSession, newSessionToken } from './session.ts';
import { type SignInNoticeDeps, tellOfSignIn } from '../sign-in/sign-in-notice.ts';

/** What signing a browser in needs. */
export interface OpenSessionDeps extends ProveAddressDeps, SignInNoticeDeps {
  sessions: Pick<SessionStore, 'put'>;
  knownBrowsers: KnownBrowserStore;
}

/** A session just begun; both tokens are told once, to cookies. */
export interface OpenedSession {
  email: string;
  token: string;
  /** By which the browser is known at its next sign-in; undefined where that could not be stored. */
  browserToken: string | undefined;
  expiresAt: Instant;
}

/**
 * Turns a code into a session. The owner of an account is mailed where the browser is new to it.
 * @throws CodedError those of proveAddress
 */
export async function openSession(
  deps: OpenSessionDeps,
  caller: Caller,
  proof: Proof,
): Promise<OpenedSession> {
  const beganAt = deps.now();
  const account = await proveAddress(deps, caller, proof);
  const token = newSessionToken();
  const session = newSession(account.id, browserFacts(caller), deps.now());
  await provision(caller, () => deps.sessions.put(hashSessionToken(token), session));
  const known = await recognise(deps, account, caller);
  if (known?.isKnown !== true) {
    await tellOfSignIn(deps, account, { gave: 'session', caller, beganAt });
  }
  const { email } = account;
  return { email, token, browserToken: known?.token, expiresAt: session.expiresAt };
}

/** Undefined where nobody can say: the sign-in itself is done. */
async function recognise(
  deps: OpenSessionDeps,
  { id }: Account,
  { agent }: Caller,
): Promise<RecognisedBrowser | undefined> {
  try {
    return await recogniseBrowser({ ...deps, now: () => deps.now() }, id, agent?.browserToken);
  } catch (error) {
    deps.onFailure({ kind: 'known browser' }, error);
    return undefined;
  }
}

/** Who is signed in in this browser, and until when. */
export function describeWebSession(deps: { now(): Date }, { account, session }: SessionCaller) {
  const plan = effectiveTier(account, deps.now());
  return { email: account.email, plan, expiresAt: endOf(session) };
}

/** Signs a browser out; nothing happens where nobody is signed in. */
export async function endSession(
  deps: { sessions: Pick<SessionStore, 'end'> },
  token: string | undefined,
) {
  if (token !== undefined) await deps.sessions.end(hashSessionToken(token));
  return { signedOut: true };
}
