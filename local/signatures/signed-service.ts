import { ServiceError } from '../errors.ts';
import type { Context } from '../iam/policy.ts';
import {
  escapeXml,
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../http/service-server.ts';
import type { Iam } from '../iam/iam.ts';
import type { Clock } from '../time/clock.ts';
import { sha256Hex } from './sigv4.ts';
import { SignatureError, type SignatureRefusal, verifyHeader } from './verify-signature.ts';

/** How the services of one protocol name refused callers, and how they write errors. */
export interface Protocol {
  refusal(reason: SignatureRefusal | 'denied'): string;
  refusedStatus: number;
  answer(error: ServiceError): ServiceAnswer;
}

/** An answer in AWS JSON. */
export function jsonAnswer(body: unknown, status = 200): ServiceAnswer {
  const headers = { 'content-type': 'application/x-amz-json-1.1' };
  return { status, headers, body: JSON.stringify(body) };
}

/** An answer in XML. */
export function xmlAnswer(
  body: string,
  status = 200,
  headers: Record<string, string> = {},
): ServiceAnswer {
  return { status, headers: { 'content-type': 'text/xml', ...headers }, body };
}

/** AWS JSON. */
export const awsJson: Protocol = {
  refusal(reason) {
    if (reason === 'denied') return 'AccessDeniedException';
    if (reason === 'missing') return 'MissingAuthenticationTokenException';
    return reason === 'unknown-key' ? 'UnrecognizedClientException' : 'InvalidSignatureException';
  },
  refusedStatus: 400,
  answer: ({ code, message, status }) => jsonAnswer({ __type: code, message }, status),
};

/** The Query protocol, and XML over REST. */
export const awsXml: Protocol = {
  refusal(reason) {
    if (reason === 'denied') return 'AccessDenied';
    if (reason === 'missing') return 'MissingAuthenticationToken';
    return reason === 'unknown-key' ? 'InvalidClientTokenId' : 'SignatureDoesNotMatch';
  },
  refusedStatus: 403,
  answer: ({ code, message, status }) =>
    xmlAnswer(
      `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error><RequestId>local</RequestId></ErrorResponse>`,
      status,
    ),
};

/** What a service checks its callers with. */
export interface ServiceDeps {
  clock: Pick<Clock, 'now'>;
  iam: Pick<Iam, 'allows' | 'callerArn' | 'secretFor'>;
}

/** A call with a valid signature. */
export interface SignedCall extends ServiceRequest {
  /** ARN of the caller. */
  caller: string;
  /** @throws ServiceError unless the caller's role allows this; `action` is like `ses:SendRawEmail` */
  requirePermission: (action: string, resource: string, context?: Context) => void;
}

/**
 * Starts a service other than S3. Every call needs a valid signature; what is thrown as a
 * {@link ServiceError} is answered in the service's protocol.
 * @param service its name in signatures
 */
export function startSignedService(
  { clock, iam }: ServiceDeps,
  { service, protocol }: { service: string; protocol: Protocol },
  handle: (call: SignedCall) => ServiceAnswer | Promise<ServiceAnswer>,
): Promise<ServiceServer> {
  const refusal = (reason: SignatureRefusal | 'denied', message: string) =>
    new ServiceError(protocol.refusal(reason), message, protocol.refusedStatus);
  const signerOf = ({ method, url, headers, body }: ServiceRequest): string => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const request = { method, path: pathname, query: [...searchParams], headers };
    const secretFor = (id: string, token: string | undefined) => iam.secretFor(id, token);
    try {
      return verifyHeader(request, sha256Hex(body), { service, now: clock.now(), secretFor });
    } catch (error) {
      throw error instanceof SignatureError ? refusal(error.reason, error.message) : error;
    }
  };
  return startServiceServer(clock, async (request) => {
    try {
      const accessKeyId = signerOf(request);
      const caller = iam.callerArn(accessKeyId);
      return await handle({
        ...request,
        caller,
        requirePermission: (action, resource, context = {}) => {
          if (iam.allows({ accessKeyId, action, resource, context })) return;
          throw refusal(
            'denied',
            `User: ${caller} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
          );
        },
      });
    } catch (error) {
      if (error instanceof ServiceError) return protocol.answer(error);
      throw error;
    }
  });
}

/** The operation of a call in AWS JSON: `x-amz-target: AmazonSQS.SendMessage`. */
export function targetOf({ headers }: ServiceRequest): string {
  return headers['x-amz-target']?.split('.').at(-1) ?? '';
}

/** The body of a call in AWS JSON. */
export function jsonBody({ body }: ServiceRequest): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ServiceError('ValidationException', 'The body is not JSON.');
  }
}
