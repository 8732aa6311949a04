import type { InvokeResult } from '../lambda/invoke-result.ts';
import type { FunctionCaller } from '../iam/lambda-permissions.ts';

/** Calls functions and logs failures. */
export interface Lambda {
  /** `onStart` is called when the function starts to run; the local cloud runs fewer at once than Lambda. */
  invoke(functionName: string, event: unknown, onStart: () => void): Promise<InvokeResult>;
  log(line: string): void;
}

/** One call of a function by API Gateway. */
export interface LambdaCall {
  functionName: string;
  event: unknown;
  mayInvoke(caller: FunctionCaller): boolean;
  /** The end of the source ARN: `<api>/live/GET/health`, `<api>/authorizers/<id>`. */
  source: string;
  timeoutMs: number;
}

/** Calls a function as API Gateway does: with a permission check and a time limit. Never rejects. */
export async function callLambda(
  lambda: Lambda,
  call: LambdaCall,
): Promise<InvokeResult | 'forbidden' | 'timeout'> {
  const { functionName, source, timeoutMs } = call;
  const sourceArn = apiArn(source);
  const isPermitted = call.mayInvoke({
    action: 'lambda:InvokeFunction',
    principal: 'apigateway.amazonaws.com',
    functionArn: functionName,
    sourceArn,
  });
  if (!isPermitted) {
    lambda.log(`Invalid permissions on Lambda function ${functionName} for ${sourceArn}`);
    return 'forbidden';
  }
  return await withinTime(timeoutMs, (onStart) => invokeSafely(lambda, call, onStart));
}

/** An `execute-api` ARN; `rest` is such as `<API id>/<stage>/<method><path>`. */
export function apiArn(rest: string): string {
  return `arn:aws:execute-api:us-east-1:000000000000:${rest}`;
}

async function invokeSafely(
  lambda: Lambda,
  { functionName, event }: LambdaCall,
  onStart: () => void,
): Promise<InvokeResult> {
  try {
    return await lambda.invoke(functionName, event, onStart);
  } catch (error) {
    lambda.log(`Invoking ${functionName} failed: ${String(error)}`);
    return { ok: false, errorType: 'ServiceException', errorMessage: 'Lambda is not reachable.' };
  }
}

/** The limit counts from the call of `onStart`: Lambda would start every function at once. */
async function withinTime<T>(
  limitMs: number,
  work: (onStart: () => void) => Promise<T>,
): Promise<T | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  return await new Promise<T | 'timeout'>((resolve, reject) => {
    const onStart = () => {
      timer ??= setTimeout(() => resolve('timeout'), limitMs);
    };
    work(onStart).then(resolve, reject);
  }).finally(() => clearTimeout(timer));
}
