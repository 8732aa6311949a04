import type { FunctionOptions } from '../../lambda/lambda-environment.ts';
import { movableClock } from '../../time/clock.ts';

/** A function with the handler `index.handler`. */
export function functionOptions(codeDir: string, log: (line: string) => void): FunctionOptions {
  return {
    name: 'gate',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:gate',
    codeDir,
    handler: 'index.handler',
    environment: {},
    timeoutSeconds: 10,
    memoryMb: 128,
    clock: movableClock(),
    log,
  };
}
