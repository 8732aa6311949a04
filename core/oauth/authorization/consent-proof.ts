import { createHmac } from 'node:crypto';
import { epochSeconds } from '../../instants.ts';
import { isSignedWith, type RotatingSecret } from '../../secrets/rotating-secret.ts';

/** A consent form is good for so long. */
const proofSeconds = 3600;

/** To whom a consent form was shown, and for what. */
export interface ShownConsent {
  sessionHash: string;
  /** Of the authorization request; in any order. */
  query: URLSearchParams;
}

const shape = /^(\d{10})\.([\w-]{43})$/;

/**
 * What a consent form carries so that only the browser that it was shown to can send it, for this
 * request, within an hour: another page cannot make one up (cross-site request forgery), and a form
 * of one request allows no other.
 */
export function consentProof({ current }: RotatingSecret, shown: ShownConsent, now: Date): string {
  const expires = epochSeconds(now) + proofSeconds;
  return `${expires}.${signatureOf(current, shown, expires)}`;
}

/** Whether a form that was sent is ours, for this session and request, and not too old. */
export function isConsentProof(
  secret: RotatingSecret,
  proof: string,
  shown: ShownConsent,
  now: Date,
): boolean {
  const [, until, signature = ''] = shape.exec(proof) ?? [];
  const expires = Number(until);
  if (!(expires > epochSeconds(now))) return false;
  return isSignedWith(secret, signature, (value) => signatureOf(value, shown, expires));
}

/** The secret signs other things too: what is signed says that it is a consent. */
function signatureOf(secret: string, { sessionHash, query }: ShownConsent, expires: number) {
  const pairs = [...query].map((pair) => JSON.stringify(pair)).toSorted();
  return createHmac('sha256', secret)
    .update(`consent\n${expires}\n${sessionHash}\n${pairs.join('\n')}`)
    .digest('base64url');
}
