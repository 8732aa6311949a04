/** Exit codes of the command (docs/cli.md). */
export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  signedOut: 3,
  network: 4,
  partly: 5,
  /** 128 and the number of SIGINT, as shells report it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure that the user can act on: what happened, and what to do next. It is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;
  readonly next: string | undefined;
  /** The code of the API, for `--json`. */
  readonly code: string | undefined;

  constructor(
    exitCode: ExitCode,
    message: string,
    { next, code }: { next?: string | undefined; code?: string | undefined } = {},
  ) {
    super(message);
    this.exitCode = exitCode;
    this.next = next;
    this.code = code;
  }
}

/** A command line that cannot be understood. */
export function usageError(message: string, next = 'Run: slipway help'): CommandError {
  return new CommandError(exitCodes.usage, message, { next });
}
