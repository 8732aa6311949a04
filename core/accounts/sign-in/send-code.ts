import { instant, plusSeconds } from '../../instants.ts';
import type { RecordChange } from '../ports.ts';
import {
  isCancelledForSomebody,
  isCurrent,
  isNeededElsewhere,
  isUsedUp,
  type MailedCode,
  newCode,
  resendWaitSeconds,
  type SignInRecord,
  wrongCodeTimes,
} from './sign-in-code.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** Longer than the timeout of the sending function: a lease older than this belongs to a crashed request. */
const leaseSeconds = 30;

/** A request for a code, identified by `id`. */
export interface SendingRequest {
  /** Used to create a new code. */
  codeSecret: Pick<RotatingSecret, 'current'>;
  id: string;
  network: string;
  resend: boolean;
}

/** The outcome of a request: it may send this code (`begun`), a valid code exists (`open`), or another request is sending it (`busy`). */
export type SendingState =
  | { kind: 'begun'; code: MailedCode; resent: boolean }
  | { kind: 'open' | 'busy'; code: MailedCode };

/**
 * Gives one of several concurrent requests the right to send. This makes no code valid and does not
 * change a valid one: a code that was not mailed cannot be used.
 *
 * After five wrong codes from anywhere, any request sends a mail. The mail has a new code, unless
 * another requester can still use the current one; then it has the same code, and the new requester
 * has five tries.
 */
export function beginSending(
  record: SignInRecord,
  { id, resend, codeSecret, network }: SendingRequest,
  now: Date,
): RecordChange<SendingState> {
  const { code, sending } = record;
  const current = code !== undefined && isCurrent(code, now) ? code : undefined;
  if (current !== undefined && isEnough(current, resend, now)) {
    return { result: { kind: 'open', code: current } };
  }
  const open = current !== undefined && isSentAgain(current, network) ? current : undefined;
  if (sending !== undefined && Date.parse(sending.until) > now.getTime()) {
    return { result: { kind: 'busy', code: sending.code } };
  }
  const next = open ?? newCode(codeSecret, now);
  const until = instant(plusSeconds(now, leaseSeconds));
  return {
    next: { ...record, sending: { id, until, code: next } },
    result: { kind: 'begun', code: next, resent: open !== undefined },
  };
}

function isEnough(code: MailedCode, resend: boolean, now: Date): boolean {
  return !isCancelledForSomebody(code) && (!resend || resendWaitSeconds(code, now) > 0);
}

/** Whether a mail has the same code again instead of a new one. */
function isSentAgain(code: MailedCode, network: string): boolean {
  return !isCancelledForSomebody(code) || isNeededElsewhere(code, network);
}

/** Records that the mail with `code` was sent: the code is valid now, and its requester is stored. */
export function finishSending(
  record: SignInRecord,
  { id, network }: SendingRequest,
  sent: { code: MailedCode; resent: boolean },
  now: Date,
): RecordChange<MailedCode> {
  const { code: stored } = record;
  const latest = stored?.nonce === sent.code.nonce ? stored : sent.code;
  const code = withRequester({ ...latest, sentAt: instant(now) }, network);
  if (record.sending?.id !== id) return { result: code };
  // A code that was used while it was sent again stays used.
  const isUsed = sent.resent && stored?.nonce !== sent.code.nonce;
  return { next: isUsed ? { code: stored } : { code }, result: code };
}

/** Releases the right to send after a failure. */
export function abandonSending(record: SignInRecord, { id }: SendingRequest): RecordChange<void> {
  if (record.sending?.id !== id) return { result: undefined };
  return { next: { code: record.code }, result: undefined };
}

/** Networks that had used up their tries have five again with this mail. */
function withRequester(code: MailedCode, network: string): MailedCode {
  const requesters = code.requesters.map((one) => (isUsedUp(one) ? { ...one, wrongAt: [] } : one));
  const others = code.others.filter((one) => !isUsedUp(one));
  if (requesters.some((one) => one.network === network)) return { ...code, requesters, others };
  const wrongAt = wrongCodeTimes(others, network);
  return {
    ...code,
    requesters: [...requesters, { network, wrongAt }],
    others: others.filter((one) => one.network !== network),
  };
}
