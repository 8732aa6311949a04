import type { ServiceRequest } from '../http/service-server.ts';
import type { Iam } from '../iam/iam.ts';
import type { Clock } from '../time/clock.ts';
import { sha256Hex } from './sigv4.ts';
import { SignatureError, type SignatureRefusal, verifyHeader } from './verify-signature.ts';

/** What a service checks the signatures of its calls with. */
export interface SignedService {
  /** Its name in signatures. */
  service: string;
  clock: Pick<Clock, 'now'>;
  iam: Pick<Iam, 'secretFor'>;
}

/** The access key of a validly signed call of a service other than S3; throws what `refuse` makes of a refusal. */
export function signerOf(
  { method, url, headers, body }: ServiceRequest,
  { service, clock, iam }: SignedService,
  refuse: (reason: SignatureRefusal, message: string) => Error,
): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const request = { method, path: pathname, query: [...searchParams], headers };
  const secretFor = (id: string, token: string | undefined) => iam.secretFor(id, token);
  try {
    return verifyHeader(request, sha256Hex(body), { service, now: clock.now(), secretFor });
  } catch (error) {
    throw error instanceof SignatureError ? refuse(error.reason, error.message) : error;
  }
}

/** The code of a refusal in services that speak AWS JSON. */
export function jsonRefusalCode(reason: SignatureRefusal) {
  if (reason === 'missing') return 'MissingAuthenticationTokenException';
  return reason === 'unknown-key' ? 'UnrecognizedClientException' : 'InvalidSignatureException';
}

/** The same in services that speak XML, and in SQS. */
export function queryRefusalCode(reason: SignatureRefusal) {
  if (reason === 'missing') return 'MissingAuthenticationToken';
  return reason === 'unknown-key' ? 'InvalidClientTokenId' : 'SignatureDoesNotMatch';
}
