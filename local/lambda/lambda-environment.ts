import type { Clock } from '../time/clock.ts';

interface FunctionIdentity {
  name: string;
  codeDir: string;
  handler: string;
  memoryMb: number;
  environment: Record<string, string>;
}

/**
 * All environment variables of a worker: those of the template and those that Lambda sets.
 *
 * The parent's `process.env` is not inherited, so that a bundle that depends on a variable of the
 * developer's shell fails here as when deployed. Credentials are part of `environment`.
 */
export function lambdaEnvironment(
  identity: FunctionIdentity,
  logStreamName: string,
): Record<string, string> {
  const region = identity.environment['AWS_REGION'] ?? 'us-east-1';
  return {
    LANG: 'en_US.UTF-8',
    ...identity.environment,
    TZ: ':UTC',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: identity.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(identity.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroupName(identity.name),
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    LAMBDA_TASK_ROOT: identity.codeDir,
    _HANDLER: identity.handler,
  };
}

/** The default log group of a function. */
export function logGroupName(functionName: string): string {
  return `/aws/lambda/${functionName}`;
}

/** A public address that may not be reachable from this computer, and the one that connections use instead. */
export interface SelfRoute {
  from: { host: string; port: number };
  to: { host: string; port: number };
}

/** One function of the template, with resolved values. */
export interface FunctionOptions {
  name: string;
  arn: string;
  codeDir: string;
  /** `index.handler` is the export `handler` of `<codeDir>/index.mjs`. */
  handler: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMb: number;
  clock: Clock;
  /** The maximum number of parallel execution environments; further requests wait. */
  maxConcurrency?: number;
  /** The processor cores of this computer; more environments than two for each start only when all wait. */
  cores?: number;
  selfRoute?: SelfRoute;
  /** Where compiled code is kept for the next environment, if this Node can do so (22.8 and later). */
  compileCacheDir?: string;
  /** How long an idle environment is kept, unless it is the last one. */
  idleMs?: number;
  /** How long the last one is kept; the next request starts another. */
  lastIdleMs?: number;
  log(line: string): void;
}
