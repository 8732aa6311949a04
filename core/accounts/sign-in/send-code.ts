import { instant, plusSeconds } from '../../instants.ts';
import type { RecordChange } from '../ports.ts';
import {
  isOpen,
  type MailedCode,
  newCode,
  resendWaitSeconds,
  type SignInRecord,
} from './sign-in-code.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** Longer than any function runs that sends: whoever still holds it after that has crashed. */
const leaseSeconds = 30;

/** A request for a code: `id` names it among all others. */
export interface Sending {
  /** A new code is made with it. */
  codeSecret: Pick<RotatingSecret, 'current'>;
  id: string;
  network: string;
  resend: boolean;
}

/** What a request for a code meets: it may send this code, there is one already, or another sends it now. */
export type SendingState =
  | { kind: 'begun'; code: MailedCode; resent: boolean }
  | { kind: 'open' | 'busy'; code: MailedCode };

/**
 * Gives one of many requests the right to send. No code comes into being by it, and one that is
 * open stays as it is: what nobody was mailed, nobody can guess.
 */
export function beginSending(
  record: SignInRecord,
  { id, resend, codeSecret }: Sending,
  now: Date,
): RecordChange<SendingState> {
  const { code, sending } = record;
  const open = code !== undefined && isOpen(code, now) ? code : undefined;
  if (open !== undefined && (!resend || resendWaitSeconds(open, now) > 0)) {
    return { result: { kind: 'open', code: open } };
  }
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

/** Notes that the mail with `code` has left: from now on it can be guessed, and its requester is known. */
export function finishSending(
  record: SignInRecord,
  { id, network }: Sending,
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

/** Notes that no mail has left. */
export function abandonSending(record: SignInRecord, { id }: Sending): RecordChange<void> {
  if (record.sending?.id !== id) return { result: undefined };
  return { next: { code: record.code }, result: undefined };
}

function withRequester(code: MailedCode, network: string): MailedCode {
  const { requesters } = code;
  if (requesters.some((requester) => requester.network === network)) return code;
  return { ...code, requesters: [...requesters, { network, wrongAt: [] }] };
}
