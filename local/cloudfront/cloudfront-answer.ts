import type { ServiceAnswer } from '../http/service-server.ts';
import type { Context } from '../iam/policy.ts';
import { ServiceError } from '../errors.ts';

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
  CNAMEAlreadyExists: 409,
  EntityAlreadyExists: 409,
  EntityLimitExceeded: 400,
  EntityNotFound: 404,
  InvalidArgument: 400,
  InvalidIfMatchVersion: 400,
  NoSuchDistribution: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  ResourceNotDisabled: 409,
} as const;

/** A refused call. */
export class CloudFrontError extends ServiceError {
  constructor(code: keyof typeof STATUSES, message: string) {
    super(code, message, STATUSES[code]);
  }
}
