import { types } from 'node:util';
import { ApiError } from '../web/app/api/api-error.ts';
import { CommandError, exitCodes, type ExitCode, usageError } from './command-error.ts';
import { type Command, commands } from './commands.ts';
import type { Context } from './context.ts';
import { commonOptions, optionTable, optionUsage, parseCommand } from './options.ts';
import { describeRefusal } from './refusals.ts';
import { openSession, type Session } from './session.ts';
import { columns, printable } from './terminal.ts';
import { adviseNewerCommand } from './newer-command.ts';

/** Runs a command line. @returns its exit code */
export async function run(args: readonly string[], context: Context): Promise<ExitCode> {
  const isJson = args.includes('--json');
  try {
    await runCommand(args, context);
    return exitCodes.done;
  } catch (error) {
    const { message, next: advice, code, exitCode } = failureOf(error, context);
    const next = asTyped(advice, context);
    const text = next === undefined ? message : `${message}\n${next}`;
    if (isJson) {
      context.stdout.write(`${printable(JSON.stringify({ error: message, code, next }))}\n`);
    } else context.stderr.write(`${printable(text)}\n`);
    return exitCode;
  }
}

async function runCommand([name, ...rest]: readonly string[], context: Context): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    context.stdout.write(helpOf(rest[0], context));
    return;
  }
  if (name === '--version') {
    context.stdout.write(`slipway ${context.version} for ${context.home}\n`);
    return;
  }
  const command = commandOf(name);
  const { values, positionals } = parseCommand(name, rest, command.options ?? []);
  if (values.help === true) {
    context.stdout.write(helpOf(name, context));
    return;
  }
  const session = await openSession(context, values);
  const advice = adviseNewerCommand(session);
  await runIn(session, () => command.run(session, positionals, values));
  await advice;
}

/** A failure removes the progress, so that its text stands alone. */
async function runIn({ progress }: Session, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    progress.clear();
  }
}

/** Advice as the user can type it: npx runs the package by its address, and installs no `slipway`. */
function asTyped(advice: string | undefined, { env, home }: Context): string | undefined {
  if (env['npm_command'] !== 'exec') return advice;
  const names = new RegExp(`\\bslipway (?=(?:help|${Object.keys(commands).join('|')})\\b)`, 'g');
  return advice?.replace(names, `npx ${home}/cli.tgz `);
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw usageError(`There is no command ${name}.`);
  return command;
}

function failureOf(error: unknown, context: Context): CommandError {
  if (context.signal.aborted) {
    return new CommandError(exitCodes.interrupted, 'Stopped.');
  }
  if (error instanceof CommandError) return error;
  if (error instanceof ApiError) return describeRefusal(error);
  // A file that cannot be read or written.
  if (types.isNativeError(error) && 'syscall' in error) {
    return new CommandError(exitCodes.refused, `${error.message}.`);
  }
  throw error;
}

function helpOf(name: string | undefined, { home, version }: Context): string {
  if (name !== undefined) {
    const { usage, summary, options = [] } = commandOf(name);
    const lines = columns(
      [...options, ...commonOptions].map((option) => [
        `  ${optionUsage(option)}`,
        optionTable[option].text,
      ]),
    );
    return `slipway ${usage}\n\n${summary}\n\n${lines.join('\n')}\n`;
  }
  const lines = columns(
    Object.values(commands).map(({ usage, summary }) => [`  ${usage}`, summary]),
  );
  return `slipway ${version} for ${home}\n\n${lines.join('\n')}\n\nslipway help COMMAND lists its options.\n`;
}
