import { parseArgs, type ParseArgsConfig, types } from 'node:util';
import { describeFileError } from '../local/errors.ts';

/** A failure that the user of a command can act on. Its message is shown without a stack. */
export class CommandError extends Error {
  override name = 'CommandError';
}

/** Where a command writes its lines. */
export interface CommandOutput {
  print(line: string): void;
  /** Progress and errors. */
  printError(line: string): void;
}

/** The standard output and the error output of this process. */
export const terminal: CommandOutput = {
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
};

/**
 * Parses options and operands.
 * @param seeHelp a sentence that names the command's `--help`
 * @throws CommandError for an unknown option and for an option without its value
 */
export function parseOptions<T extends ParseArgsConfig>(
  config: T,
  seeHelp: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [reason = ''] = (types.isNativeError(error) ? error.message : '').split(/\. |\n/);
    throw new CommandError(`${reason}. ${seeHelp}`);
  }
}

/**
 * An error as one line, without its stack. The messages of `expected` errors stay as they are;
 * other errors keep their name, which identifies errors of AWS.
 */
export function errorLine(
  error: unknown,
  expected: readonly (abstract new (...args: never[]) => Error)[],
): string {
  if (!(error instanceof Error)) return String(error);
  if (expected.some((kind) => error instanceof kind)) return error.message;
  if ('code' in error && error.code === 'ECONNREFUSED') {
    return 'The local cloud does not answer. Start it with npm start.';
  }
  const fileError = describeFileError(error);
  if (fileError !== undefined) return fileError;
  return `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ');
}

/** A stream for a person or for a log. */
export interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Shows what a long work is doing. On a terminal each line replaces the one before; a log gets every
 * line. An empty text ends the last line.
 */
export function progressLines(output: Output): (text: string) => void {
  if (output.isTTY !== true) return (text) => void (text !== '' && output.write(`${text} …\n`));
  let isShown = false;
  return (text) => {
    if (text === '' && !isShown) return;
    output.write(text === '' ? '\r\u001B[K' : `\r\u001B[K${text} …`);
    isShown = text !== '';
  };
}
