import type { Instant } from '../../../contract/fields.ts';
import type { Caller, SessionCaller } from '../../caller.ts';
import { type Account, effectiveTier } from '../account.ts';
import {
  browserFacts,
  type KnownBrowserStore,
  recogniseBrowser,
  type RecognisedBrowser,
} from './known-browser.ts';
import { isOperator } from '../../operators/operator.ts';
import type { SessionStore } from '../ports.ts';
import {
  type AddressProof,
  type ProveAddressDeps,
  proveAddress,
  provision,
} from '../sign-in/prove-address.ts';
import { newSession } from './session.ts';
import { type SignInNoticeDeps, notifyOfSignIn } from '../sign-in/sign-in-notice.ts';
import { hashSecretText, newToken } from '../../secret-text.ts';

interface StartSessionDeps extends SignInNoticeDeps {
  sessions: Pick<SessionStore, 'put'>;
  knownBrowsers: KnownBrowserStore;
}

/** The dependencies of `openWebSession`. */
export interface OpenSessionDeps extends ProveAddressDeps, StartSessionDeps {
  now(): Date;
}

/** A new session. Both tokens are secrets: only cookies carry them. */
export interface NewWebSession {
  email: string;
  token: string;
  /** Identifies the browser at its next sign-in; undefined if it could not be stored. */
  browserToken: string | undefined;
  expiresAt: Instant;
}

/**
 * Exchanges a sign-in code for a session. Mails the account's owner if the browser is new to the account.
 * @throws CodedError those of proveAddress
 */
export async function openWebSession(
  deps: OpenSessionDeps,
  caller: Caller,
  proof: AddressProof,
): Promise<NewWebSession> {
  const beganAt = deps.now();
  const account = await proveAddress(deps, caller, proof);
  return startSession(deps, caller, account, beganAt);
}

/**
 * A session for a person who has just proved the account's address, and the mail to its owner.
 * @param beganAt before the address was proved: an account that is newer gets no mail
 */
export async function startSession(
  deps: StartSessionDeps,
  caller: Caller,
  account: Account,
  beganAt: Date,
): Promise<NewWebSession> {
  const token = newToken();
  const session = newSession(account.id, browserFacts(caller), deps.now());
  await provision(caller, () => deps.sessions.put(hashSecretText(token), session));
  const known = await recognise(deps, account, caller);
  if (known?.isKnown !== true) {
    await notifyOfSignIn(deps, account, { granted: 'session', caller, beganAt });
  }
  const { email } = account;
  return { email, token, browserToken: known?.token, expiresAt: session.expiresAt };
}

/** Undefined on failure: the sign-in itself has succeeded. */
async function recognise(
  deps: StartSessionDeps,
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

/** The account that is signed in in this browser, and when the session expires. */
export function getWebSession(
  deps: { operators: readonly string[]; now(): Date },
  { account, session }: SessionCaller,
) {
  const plan = effectiveTier(account, deps.now());
  const { expiresAt } = session;
  return { email: account.email, plan, expiresAt, isOperator: isOperator(deps.operators, account) };
}

/** Ends the session of a browser; does nothing without one. */
export async function endWebSession(
  deps: { sessions: Pick<SessionStore, 'end'> },
  token: string | undefined,
) {
  if (token !== undefined) await deps.sessions.end(hashSecretText(token));
  return { signedOut: true };
}
