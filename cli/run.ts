import { type CommandError, exitCodes, type ExitCode, usageError } from './command-error.ts';
import { type Command, commands } from './commands.ts';
import type { Context } from './context.ts';
import { commonOptions, optionTable, optionUsage, parseCommand } from './options.ts';
import { failureOf } from './refusals.ts';
import { openSession, type Session } from './session.ts';
import { similarName } from './similar-name.ts';
import { columns, printable } from './terminal.ts';
import { adviseNewerCommand } from './newer-command.ts';

/** Runs a command line. @returns its exit code */
export async function run(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    await runCommand(args, context);
    return exitCodes.done;
  } catch (error) {
    const failure = failureOf(error, context.signal);
    writeFailure(args, context, failure);
    return failure.exitCode;
  }
}

function writeFailure(
  args: readonly string[],
  context: Context,
  { message, next: advice, code }: CommandError,
): void {
  const next = asTyped(advice, context);
  const text = next === undefined ? message : `${message}\n${next}`;
  if (args.includes('--json')) {
    context.stdout.write(`${printable(JSON.stringify({ error: message, code, next }))}\n`);
  } else context.stderr.write(`${printable(text)}\n`);
}

async function runCommand(args: readonly string[], context: Context): Promise<void> {
  const [name, ...rest] = args;
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
  requireOperands(command, positionals);
  const session = await openSession(context, values, (failure) =>
    writeFailure(args, context, failure),
  );
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
function asTyped<Advice extends string | undefined>(
  advice: Advice,
  { env, home }: Context,
): Advice | string {
  if (env['npm_command'] !== 'exec') return advice;
  const names = new RegExp(`\\bslipway (?=(?:help|${Object.keys(commands).join('|')})\\b)`, 'g');
  return advice === undefined ? advice : advice.replace(names, `npx ${home}/cli.tgz `);
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command;
  if (name.startsWith('-')) {
    throw usageError(`Name a command before ${name}.`, 'For example: slipway publish dist --json');
  }
  const meant = similarName(name, Object.keys(commands));
  throw usageError(
    `There is no command ${name}.`,
    meant === undefined ? undefined : `Did you mean: slipway ${meant}`,
  );
}

/** @throws CommandError for more operands than the usage of a command has */
function requireOperands({ usage }: Command, operands: readonly string[]): void {
  const [name, ...most] = usage.split(' ');
  const extra = operands[most.length];
  if (extra === undefined || usage.includes('…')) return;
  throw usageError(`slipway ${name} does not take ${extra}.`, `It is called: slipway ${usage}`);
}

function helpOf(name: string | undefined, context: Context): string {
  const { home, version } = context;
  if (name !== undefined) {
    const { usage, summary, options = [] } = commandOf(name);
    const lines = columns(
      [...options, ...commonOptions].map((option) => [
        `  ${optionUsage(option)}`,
        optionTable[option].text,
      ]),
    );
    return `${asTyped(`slipway ${usage}`, context)}\n\n${summary}\n\n${lines.join('\n')}\n`;
  }
  const lines = columns(
    Object.values(commands).map(({ usage, summary }) => [`  ${usage}`, summary]),
  );
  const more = asTyped('slipway help COMMAND', context);
  return `slipway ${version} for ${home}\n\n${lines.join('\n')}\n\n${more} lists its options.\n`;
}
