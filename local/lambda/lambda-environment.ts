interface FunctionIdentity {
  name: string;
  codeDir: string;
  handler: string;
  memoryMb: number;
  environment: Record<string, string>;
}

/**
 * The whole environment that one worker sees: the template's variables and what Lambda sets itself.
 *
 * Nothing of the parent's `process.env` is passed on, so that a bundle that leans on a variable of
 * the developer's shell fails here as it would when deployed. Credentials come with `environment`.
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

/** The log group that Lambda gives a function without a configured one. */
export function logGroupName(functionName: string): string {
  return `/aws/lambda/${functionName}`;
}
