import type { ServiceRequest } from '../http/service-server.ts';
import {
  type AuthContext,
  SignatureError,
  type SignatureRefusal,
  signerOf,
} from '../http/signed-call.ts';
import { SqsError, type SqsErrorCode } from './sqs-error.ts';

const CODES: Record<SignatureRefusal, SqsErrorCode> = {
  missing: 'MissingAuthenticationToken',
  mismatch: 'SignatureDoesNotMatch',
  'unknown-key': 'InvalidClientTokenId',
};

/** The access key of a validly signed request (SigV4 header); throws SQS's error otherwise. */
export function authenticate(request: ServiceRequest, context: AuthContext): string {
  try {
    return signerOf(request, 'sqs', context);
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw new SqsError(CODES[error.reason], error.message);
  }
}
