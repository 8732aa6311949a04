import type { Instant } from '../../../contract/fields.ts';
import type { Account } from '../account.ts';
import type { Caller } from '../../caller.ts';
import { type BrowserFacts, browserFacts } from '../sessions/known-browser.ts';
import { instant } from '../../instants.ts';

/** A sign-in about which the owner gets a mail. */
export interface SignInNotice extends BrowserFacts {
  /** The result of the sign-in: a session of a browser, or an API key. */
  granted: 'session' | 'key';
  at: Instant;
}

/** Tells owners about sign-ins that may not be their own. */
export interface SignInNotifier {
  notify(email: string, notice: SignInNotice): Promise<void>;
}

/** The dependencies of `notifyOfSignIn`. */
export interface SignInNoticeDeps {
  notices: SignInNotifier;
  /** Called when a notice could not be sent. The sign-in itself has succeeded. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/**
 * Mails the owner of an account about a sign-in, except the one that created the account.
 * @param beganAt when the sign-in began, before the account was looked up
 */
export async function notifyOfSignIn(
  deps: SignInNoticeDeps,
  account: Pick<Account, 'email' | 'createdAt'>,
  { granted, caller, beganAt }: { granted: SignInNotice['granted']; caller: Caller; beganAt: Date },
): Promise<void> {
  if (account.createdAt >= instant(beganAt)) return;
  const notice = { granted, at: instant(deps.now()), ...browserFacts(caller) };
  try {
    await deps.notices.notify(account.email, notice);
  } catch (error) {
    deps.onFailure({ kind: 'sign-in notice' }, error);
  }
}
