import { createHmac, randomBytes } from 'node:crypto';
import type { ProjectId } from '../../../contract/fields.ts';
import { daySeconds } from '../../../contract/limits.ts';
import { asLetters, inGroups, isSameText } from '../../accounts/sign-in/code-secrets.ts';
import { epochSeconds } from '../../instants.ts';
import { isSignedWith, type RotatingSecret } from '../../secrets/rotating-secret.ts';

/** For which project and normalised address a code is. */
export interface CodePurpose {
  projectId: ProjectId;
  email: string;
}

/** A code that was asked for, as the page that asks for its digits knows it. */
export interface VisitorCode {
  nonce: string;
  digits: string;
}

/** How long a code can be entered, and the page that asks for it is of use. */
export const codeSeconds = 600;

/** `<expires>.<nonce>.<HMAC-SHA256>` */
const tokenPattern = /^(\d{10})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * A new code, and the token of the page that asks for its digits. Nothing is stored: the digits follow from the
 * token and the secret, and counters bound the tries.
 */
export function newVisitorCode(
  { current }: RotatingSecret,
  purpose: CodePurpose,
  now: Date,
): VisitorCode & { token: string } {
  const nonce = randomBytes(16).toString('base64url');
  const content = `${epochSeconds(now) + codeSeconds}.${nonce}`;
  const signature = signatureOf(current, purpose, content);
  return { nonce, digits: digitsOf(current, signature), token: `${content}.${signature}` };
}

/** The code that a page's token names, if it is for this project and address and has not expired. */
export function readVisitorCode(
  secret: RotatingSecret,
  token: string,
  purpose: CodePurpose,
  now: Date,
): VisitorCode | undefined {
  const [, expires = '', nonce = '', signature = ''] = tokenPattern.exec(token) ?? [];
  if (Number(expires) <= epochSeconds(now)) return undefined;
  const content = `${expires}.${nonce}`;
  const sign = (value: string) => signatureOf(value, purpose, content);
  if (!isSignedWith(secret, signature, sign)) return undefined;
  // Exactly one code is right during a rotation: that of the value which signed.
  const value = secret.accepted.find((one) => isSameText(sign(one), signature));
  return value === undefined ? undefined : { nonce, digits: digitsOf(value, signature) };
}

/** The prefix separates these signatures from others that use the same secret. */
function signatureOf(secret: string, { projectId, email }: CodePurpose, content: string): string {
  const text = `visitor-code\n${projectId}\n${email}\n${content}`;
  return createHmac('sha256', secret).update(text).digest('base64url');
}

const nonceLetters = 6;
const macLetters = 18;

/**
 * The long code of the same mail, `bcdf-ghjk-…`: 77 bits, which cannot be guessed. It is accepted without the token
 * of a page and in spite of all limits, because those can be used up by strangers, who also cause the mails.
 */
export function newVisitorLongCode(
  { current }: RotatingSecret,
  purpose: CodePurpose,
  now: Date,
): string {
  const nonce = asLetters(randomBytes(nonceLetters));
  return inGroups(nonce + longMacOf(current, purpose, nonce, dayOf(now)));
}

/** Whether a normalised long code is of a mail to this address, for this project, of today or yesterday (UTC). */
export function isVisitorLongCode(
  { accepted }: RotatingSecret,
  code: string,
  purpose: CodePurpose,
  now: Date,
): boolean {
  const letters = code.replaceAll('-', '');
  const [nonce, mac] = [letters.slice(0, nonceLetters), letters.slice(nonceLetters)];
  const days = [dayOf(now), dayOf(now) - 1];
  return accepted.some((secret) =>
    days.some((day) => isSameText(mac, longMacOf(secret, purpose, nonce, day))),
  );
}

/** Whole days since 1970. */
const dayOf = (now: Date) => Math.floor(epochSeconds(now) / daySeconds);

function longMacOf(secret: string, purpose: CodePurpose, nonce: string, day: number): string {
  const text = `visitor-long-code\n${purpose.projectId}\n${purpose.email}\n${day}\n${nonce}`;
  return asLetters(createHmac('sha256', secret).update(text).digest().subarray(0, macLetters));
}

/** 48 bits modulo a million have no noticeable bias. */
function digitsOf(secret: string, signature: string): string {
  const mac = createHmac('sha256', secret).update(`visitor-digits\n${signature}`).digest();
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}
