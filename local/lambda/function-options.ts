import type { Clock } from '../time/clock.ts';

/** What the template says about one function, with every value resolved. */
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
  /** Execution environments at once; further requests wait. */
  maxConcurrency?: number;
  /** How long an environment beside the first waits for work before it is stopped. */
  idleMs?: number;
  log(line: string): void;
}
