import type { Readable } from 'node:stream';

/** What a request of an operation is made from. */
interface CallableOperation {
  method: string;
  path: string;
  body: 'none' | 'json' | 'upload';
  envelope: 'data' | 'bare';
}

/** A stream for a person, a program or a log. */
export interface OutputStream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** What a run of the command gets from its process. */
export interface Context {
  /** The installation that this package came from; it is the default of every command. */
  home: string;
  version: string;
  /** The operations of the contract by the names that it exports them by. */
  operations: Readonly<Record<string, CallableOperation>>;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
  stdin: Readable & { isTTY?: boolean };
  /** Results, for programs too. */
  stdout: OutputStream;
  /** Progress, advice and errors. */
  stderr: OutputStream;
  /** Aborted when the user interrupts the command. */
  signal: AbortSignal;
}
