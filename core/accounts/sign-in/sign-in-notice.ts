import type { Instant } from '../../../contract/fields.ts';
import type { Account } from '../account.ts';
import type { Caller } from '../../caller.ts';
import { type BrowserFacts, browserFacts } from '../sessions/browser-facts.ts';
import { instant } from '../../instants.ts';

/** A sign-in of which the owner is told. */
export interface SignInNotice extends BrowserFacts {
  /** What the sign-in gave: a browser's session, or an API key. */
  gave: 'session' | 'key';
  at: Instant;
}

/** Tells owners of sign-ins that may not be theirs. */
export interface SignInNotifier {
  tell(email: string, notice: SignInNotice): Promise<void>;
}

/** What telling an owner of a sign-in needs. */
export interface SignInNoticeDeps {
  notices: SignInNotifier;
  /** Told of a notice that could not be sent: the sign-in itself is done. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/**
 * Mails the owner of an account that somebody signed in to it. The sign-in that made the account is
 * no news to anybody.
 * @param beganAt when the sign-in began, before the account was looked for
 */
export async function tellOfSignIn(
  deps: SignInNoticeDeps,
  account: Pick<Account, 'email' | 'createdAt'>,
  { gave, caller, beganAt }: { gave: SignInNotice['gave']; caller: Caller; beganAt: Date },
): Promise<void> {
  if (account.createdAt >= instant(beganAt)) return;
  const notice = { gave, at: instant(deps.now()), ...browserFacts(caller) };
  try {
    await deps.notices.tell(account.email, notice);
  } catch (error) {
    deps.onFailure({ kind: 'sign-in notice' }, error);
  }
}
