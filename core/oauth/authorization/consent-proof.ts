import { createHmac } from 'node:crypto';
import { epochSeconds } from '../../instants.ts';
import { isSignedWith, type RotatingSecret } from '../../secrets/rotating-secret.ts';

const proofSeconds = 3600;

/** The session and the authorization request for which a consent form was shown. */
export interface ConsentContext {
  sessionHash: string;
  /** Parameters of the authorization request, in any order. */
  query: URLSearchParams;
}

const shape = /^(\d{10})\.([\w-]{43})$/;

/**
 * A value in the consent form that proves that the form was shown in this session for this request, within
 * the last hour. Another page cannot create it (cross-site request forgery), and a form
 * for one request cannot allow another.
 */
export function consentProof(
  { current }: RotatingSecret,
  context: ConsentContext,
  now: Date,
): string {
  const expires = epochSeconds(now) + proofSeconds;
  return `${expires}.${signatureOf(current, context, expires)}`;
}

/** Whether a proof belongs to this session and request and has not expired. */
export function isConsentProof(
  secret: RotatingSecret,
  proof: string,
  context: ConsentContext,
  now: Date,
): boolean {
  const [, until, signature = ''] = shape.exec(proof) ?? [];
  const expires = Number(until);
  if (!(expires > epochSeconds(now))) return false;
  return isSignedWith(secret, signature, (value) => signatureOf(value, context, expires));
}

/** The secret signs other things too, so the signed text starts with its purpose. */
function signatureOf(secret: string, { sessionHash, query }: ConsentContext, expires: number) {
  const pairs = [...query].map((pair) => JSON.stringify(pair)).toSorted();
  return createHmac('sha256', secret)
    .update(`consent\n${expires}\n${sessionHash}\n${pairs.join('\n')}`)
    .digest('base64url');
}
