import { randomUUID } from 'node:crypto';
import { escapeXml, type ServiceAnswer } from '../http/service-server.ts';
import type { Context } from '../iam/policy.ts';

/** One call of CloudFront's control plane: what IAM must allow, and the answer. */
export interface CloudFrontCall {
  action: string;
  resource: string;
  /** Values for conditions, by lowercase key. */
  context?: Context;
  /** Another permission that the call needs. */
  also?: { action: string; resource: string };
  run(): ServiceAnswer;
}

/** Errors of CloudFront's model, with their status. */
const STATUSES = {
  AccessDenied: 403,
  CNAMEAlreadyExists: 409,
  EntityAlreadyExists: 409,
  EntityLimitExceeded: 400,
  EntityNotFound: 404,
  InvalidArgument: 400,
  InvalidAssociation: 409,
  InvalidClientTokenId: 403,
  InvalidIfMatchVersion: 400,
  MissingAuthenticationToken: 403,
  NoSuchDistribution: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  ResourceNotDisabled: 409,
  SignatureDoesNotMatch: 403,
} as const;

type CloudFrontErrorCode = keyof typeof STATUSES;

/** A refused call. */
export class CloudFrontError extends Error {
  readonly code: CloudFrontErrorCode;

  constructor(code: CloudFrontErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  get answer(): ServiceAnswer {
    return errorAnswer(STATUSES[this.code], this.code, this.message);
  }
}

/** An answer of CloudFront's control plane. */
export function xmlAnswer(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): ServiceAnswer {
  return { status, headers: { 'content-type': 'text/xml', ...headers }, body };
}

/** An error in CloudFront's format. */
export function errorAnswer(status: number, code: string, message: string): ServiceAnswer {
  return xmlAnswer(
    status,
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}
