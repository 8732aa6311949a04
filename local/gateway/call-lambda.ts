import type { InvokeResult } from '../lambda/invoke-result.ts';
import { mayInvoke, type Permission } from './definition/permission.ts';

/** How functions are called, and where failures are told. */
export interface Lambda {
  invoke(functionName: string, event: unknown): Promise<InvokeResult>;
  log(line: string): void;
}

/** One call of a function by API Gateway. */
export interface LambdaCall {
  functionName: string;
  event: unknown;
  permissions: readonly Permission[];
  /** For whom it is called, behind the API's id: `live/GET/health`, `authorizers/<id>`. */
  source: string;
  timeoutMs: number;
}

/** Calls a function as API Gateway does: with a permission, for so long. Never rejects. */
export async function callLambda(
  lambda: Lambda,
  call: LambdaCall,
): Promise<InvokeResult | 'forbidden' | 'timeout'> {
  const { functionName, permissions, source, timeoutMs } = call;
  const sourceArn = apiArn(source);
  if (!mayInvoke(permissions, functionName, sourceArn)) {
    lambda.log(`Invalid permissions on Lambda function ${functionName} for ${sourceArn}`);
    return 'forbidden';
  }
  return await withinTime(timeoutMs, invokeSafely(lambda, call));
}

/** The ARN of something of an API: `<API id>/<stage>/<method><path>`. */
export function apiArn(rest: string): string {
  return `arn:aws:execute-api:us-east-1:000000000000:${rest}`;
}

async function invokeSafely(
  lambda: Lambda,
  { functionName, event }: LambdaCall,
): Promise<InvokeResult> {
  try {
    return await lambda.invoke(functionName, event);
  } catch (error) {
    lambda.log(`Invoking ${functionName} failed: ${String(error)}`);
    return { ok: false, errorType: 'ServiceException', errorMessage: 'Lambda is not reachable.' };
  }
}

async function withinTime<T>(limitMs: number, work: Promise<T>): Promise<T | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), limitMs);
  });
  return await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
