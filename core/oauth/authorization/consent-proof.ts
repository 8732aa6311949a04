import { epochSeconds } from '../../instants.ts';
import { isSignatureOf, type RotatingSecret, signatureOf } from '../../secrets/rotating-secret.ts';

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
export function consentProof(secret: RotatingSecret, context: ConsentContext, now: Date): string {
  const expires = epochSeconds(now) + proofSeconds;
  return `${expires}.${signatureOf(secret, 'consent', serialize(context, expires))}`;
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
  return isSignatureOf(secret, 'consent', serialize(context, expires), signature);
}

function serialize({ sessionHash, query }: ConsentContext, expires: number): string {
  const pairs = [...query].map((pair) => JSON.stringify(pair)).toSorted();
  return [expires, sessionHash, ...pairs].join('\n');
}
