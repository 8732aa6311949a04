import type { SessionCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import type { Counters } from '../../limits/counters.ts';
import { type LimitedPlace, reservePlaces } from '../../limits/reserve-places.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';
import type { AccountStore, SessionStore } from '../ports.ts';
import { deleteOtherSessions } from '../sessions/manage-sessions.ts';
import { isSameText } from '../sign-in/code-secrets.ts';
import { maxWrongCodes } from '../sign-in/sign-in-code.ts';
import { rulesFor } from '../sign-in/wrong-code-limits.ts';
import { requireActive } from '../suspension.ts';
import {
  type EmailChange,
  emailChangeCodes,
  emailChangeSeconds,
  type EmailChangeStore,
} from './email-change.ts';
import type { EmailChangeMailer } from './request-email-change.ts';

/** The dependencies of `verifyEmailChange`. */
export interface VerifyEmailChangeDeps {
  accounts: Pick<AccountStore, 'get' | 'changeEmail'>;
  emailChanges: Pick<EmailChangeStore, 'read' | 'remove'>;
  sessions: Pick<SessionStore, 'list' | 'remove'>;
  counters: Pick<Counters, 'reserve' | 'release'>;
  emailChangeMailer: Pick<EmailChangeMailer, 'sendChanged'>;
  codeSecret: RotatingSecret;
  /** Called when the mail to the former address could not be sent. The change itself has succeeded. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** Both codes, as somebody typed them. */
export interface SentCodes {
  currentCode: string;
  newCode: string;
}

/**
 * Gives the account its new address, if both codes of a change that this session requested are
 * right.
 *
 * The order matters. The codes are used up first, so that they work once. Then all other browsers
 * are signed out, before anything else can fail: the owner may be changing the address because a
 * session was stolen.
 * @throws CodedError OTP_INVALID, OTP_EXPIRED, OTP_TOO_MANY_ATTEMPTS, EMAIL_TAKEN, ACCOUNT_SUSPENDED
 */
export async function verifyEmailChange(
  deps: VerifyEmailChangeDeps,
  caller: Pick<SessionCaller, 'account' | 'session'>,
  codes: SentCodes,
) {
  const { account, session } = caller;
  const change = await deps.emailChanges.read(session);
  if (change === undefined || change.from !== account.email) throw noChange();
  if (Date.parse(change.expiresAt) <= deps.now().getTime()) throw noChange();
  await compareCodes(deps, caller, change, codes);
  if (!(await deps.emailChanges.remove(session, change.nonce))) throw noChange();
  await deleteOtherSessions(deps, caller);
  const { from, to } = change;
  const outcome = await deps.accounts.changeEmail(account.id, { from, to });
  if (outcome === 'taken') {
    throw new CodedError('EMAIL_TAKEN', { error: 'This e-mail address has an account.' });
  }
  if (outcome === 'conflict') {
    requireActive((await deps.accounts.get(account.id)) ?? account);
    throw noChange();
  }
  try {
    await deps.emailChangeMailer.sendChanged(from, { newEmail: to });
  } catch (error) {
    deps.onFailure({ kind: 'e-mail change notice' }, error);
  }
  return { email: to };
}

/** Counts a try before it compares; releases it unless a code was wrong. */
async function compareCodes(
  deps: VerifyEmailChangeDeps,
  { session }: Pick<SessionCaller, 'session'>,
  change: EmailChange,
  sent: SentCodes,
): Promise<void> {
  const reservation = await reservePlaces(deps.counters, tryLimits(session.id, change), deps.now());
  if (!reservation.reserved) {
    throw new CodedError('OTP_TOO_MANY_ATTEMPTS', {
      ...(reservation.name === 'change'
        ? {
            error: `${maxWrongCodes} wrong codes were sent, so the change was cancelled.`,
            retryAfterSeconds: 1,
          }
        : {
            error: 'Too many wrong codes were sent from this browser for changes of the address.',
            retryAfterSeconds: reservation.retryAfterSeconds,
          }),
      nextStep: 'Wait `retryAfterSeconds`, then begin again with POST /v1/account/email.',
    });
  }
  const codes = emailChangeCodes(deps.codeSecret, change);
  const isCurrentRight = isSameText(sent.currentCode, codes.current);
  const isNewRight = isSameText(sent.newCode, codes.new);
  if (isCurrentRight && isNewRight) return reservation.release();
  throw new CodedError('OTP_INVALID', {
    error: isCurrentRight
      ? `This is not the code that was sent to ${change.to}.`
      : `This is not the code that was sent to ${change.from}.`,
    attemptsLeft: Math.min(...reservation.limits.map(({ remaining }) => remaining)),
  });
}

/**
 * Wrong codes count for the session that requested the change, so a thief with a stolen session
 * cannot use up the owner's tries for signing in or for a change from another browser (decision
 * 0033).
 */
function tryLimits(
  sessionId: string,
  { nonce }: EmailChange,
): LimitedPlace<'change' | 'session'>[] {
  const perChange = [{ limit: maxWrongCodes, windowSeconds: emailChangeSeconds }];
  return [
    { name: 'change', key: `wrong-codes-of-change#${nonce}`, rules: perChange },
    { name: 'session', key: `wrong-codes-of-session#${sessionId}`, rules: rulesFor([10, 20, 50]) },
  ];
}

function noChange(): CodedError {
  return new CodedError('OTP_EXPIRED', {
    error: 'There is no change of your e-mail address that waits for codes.',
    nextStep: 'Begin again with POST /v1/account/email.',
  });
}
