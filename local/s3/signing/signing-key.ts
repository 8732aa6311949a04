import { S3Error } from '../protocol/s3-error.ts';
import { type Credential, signingKey } from './sigv4.ts';

/** The secret of an access key; undefined if it is unknown or the token is not the one of its session. */
export type SecretLookup = (
  accessKeyId: string,
  sessionToken: string | undefined,
) => string | undefined;

/** The data for checking a signature. */
export interface AuthContext {
  now: Date;
  region: string;
  secretFor: SecretLookup;
}

/**
 * How long after its signature a function's URL works. It ends with the session that signed it, and
 * nothing says how long that still lasts, so a URL must not promise more.
 */
const SESSION_MS = 60 * 60 * 1000;

/** The derived key of a credential; throws for an unknown access key, a wrong token or another region. */
export function signingKeyOf(
  credential: Credential,
  sessionToken: string | undefined,
  context: AuthContext,
): Buffer {
  const secret = context.secretFor(credential.accessKeyId, sessionToken);
  if (secret === undefined) {
    throw new S3Error(sessionToken === undefined ? 'InvalidAccessKeyId' : 'InvalidToken');
  }
  if (credential.region !== context.region) {
    throw new S3Error(
      'AuthorizationHeaderMalformed',
      `The authorization header is malformed; the region '${credential.region}' is wrong; expecting '${context.region}'`,
    );
  }
  return signingKey(secret, credential);
}

/** Refuses what a session signed that may have ended; `ExpiredToken`. */
export function assertSession(
  sessionToken: string | undefined,
  signedAt: Date | undefined,
  now: Date,
): void {
  if (sessionToken === undefined || signedAt === undefined) return;
  if (now.getTime() - signedAt.getTime() > SESSION_MS) throw new S3Error('ExpiredToken');
}
