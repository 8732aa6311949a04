import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { Instant } from '../../contract/fields.ts';
import { instant, plusSeconds } from '../instants.ts';

/** What is stored of an open code: not the code, but the number from which the secret makes it. */
export const OpenCode = z.object({
  nonce: z.string(),
  tries: z.number().int().nonnegative(),
  sentAt: Instant,
  expiresAt: Instant,
});
export type OpenCode = z.infer<typeof OpenCode>;

/** Specification, "Limits". */
export const codeLifeSeconds = 600;
export const resendAfterSeconds = 60;
export const maxTries = 5;

/** A code just sent. */
export function newCode(now: Date): OpenCode {
  return {
    nonce: randomBytes(16).toString('base64url'),
    tries: 0,
    sentAt: instant(now),
    expiresAt: instant(plusSeconds(now, codeLifeSeconds)),
  };
}

/** Whether the code can still be verified: not expired, not cancelled by wrong tries. */
export function isOpen(code: OpenCode, now: Date): boolean {
  return Date.parse(code.expiresAt) > now.getTime() && code.tries < maxTries;
}

/** Whole seconds until the code may be sent again. */
export function resendWaitSeconds(code: OpenCode, now: Date): number {
  const left = Date.parse(code.sentAt) + resendAfterSeconds * 1000 - now.getTime();
  return Math.max(0, Math.ceil(left / 1000));
}

/**
 * The six digits, made anew from secret, address and nonce: the same code can be sent again, and
 * whoever reads the table cannot compute it.
 */
export function digitsOf(secret: string, email: string, nonce: string): string {
  const mac = createHmac('sha256', secret).update(`${nonce}\n${email}`).digest();
  // 48 bits modulo a million: no digit is noticeably likelier than another.
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** Compares in constant time; both are six digits. */
export function sameDigits(given: string, expected: string): boolean {
  return (
    given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  );
}
