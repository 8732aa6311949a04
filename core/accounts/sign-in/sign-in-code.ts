import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { type RotatingSecret, secretTag } from '../../secrets/rotating-secret.ts';

/** A network, and when wrong codes came from there (milliseconds). */
const CodeGuesses = z.object({ network: z.string(), wrongAt: z.array(z.number()) });

/**
 * The stored form of a mailed code: the nonce from which the secret computes it, but not the code.
 */
export const MailedCode = z.object({
  nonce: z.string(),
  sentAt: Instant,
  expiresAt: Instant,
  /** The networks whose requests caused a mail. */
  requesters: z.array(CodeGuesses),
  /** Other networks from which wrong codes came; limits over all codes keep this short. */
  others: z.array(CodeGuesses),
});
export type MailedCode = z.infer<typeof MailedCode>;

/**
 * The right to send a mail, held by one request; other requests wait for its outcome until `until`.
 */
const SendingLease = z.object({ id: z.string(), until: Instant, code: MailedCode });

/** The stored state of all sign-ins to one e-mail address. */
export const SignInRecord = z.object({
  code: MailedCode.optional(),
  sending: SendingLease.optional(),
});
export type SignInRecord = z.infer<typeof SignInRecord>;

/** docs/contract.md, "Limits". */
export const codeLifeSeconds = 600;
const resendAfterSeconds = 60;
/** Five wrong codes from a network cancel the code for that network, and for no other. */
export const maxWrongCodes = 5;
/**
 * As long as the window of the mail limit: a person who gets no new mail has one whose long code
 * still works.
 */
export const longCodeLifeSeconds = 3600;

/** A code that is about to be mailed. Its nonce names the value of the secret that it is made with. */
export function newCode({ current }: Pick<RotatingSecret, 'current'>, now: Date): MailedCode {
  return {
    nonce: `${secretTag(current)}.${randomBytes(16).toString('base64url')}`,
    sentAt: instant(now),
    expiresAt: instant(plusSeconds(now, codeLifeSeconds)),
    requesters: [],
    others: [],
  };
}

/** Whether the six digits are still valid. */
export function isCurrent({ expiresAt }: MailedCode, now: Date): boolean {
  return Date.parse(expiresAt) > now.getTime();
}

/** The times of wrong codes from a network, given the requesters or the other networks. */
export function wrongCodeTimes(guesses: MailedCode['others'], network: string): number[] {
  return guesses.find((one) => one.network === network)?.wrongAt ?? [];
}

/**
 * Whether any network has used up its tries: then a person who requests the code again gets a mail
 * instead of being told to use the earlier one.
 */
export function isCancelledForSomebody({ requesters, others }: MailedCode): boolean {
  return [...requesters, ...others].some(isUsedUp);
}

/** Whether a requester other than this network still has tries. A new code would end them. */
export function isNeededElsewhere({ requesters }: MailedCode, network: string): boolean {
  return requesters.some((one) => one.network !== network && !isUsedUp(one));
}

/** Whether the tries of a network are used up. */
export function isUsedUp({ wrongAt }: z.infer<typeof CodeGuesses>): boolean {
  return wrongAt.length >= maxWrongCodes;
}

/** Whether the long code of the latest mail still works. */
export function isLongCodeCurrent({ sentAt }: MailedCode, now: Date): boolean {
  return Date.parse(sentAt) + longCodeLifeSeconds * 1000 > now.getTime();
}

/** Whole seconds until the code may be sent again. */
export function resendWaitSeconds({ sentAt }: Pick<MailedCode, 'sentAt'>, now: Date): number {
  const left = Date.parse(sentAt) + resendAfterSeconds * 1000 - now.getTime();
  return Math.max(0, Math.ceil(left / 1000));
}
