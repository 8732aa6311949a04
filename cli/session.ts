import { CommandError, exitCodes, usageError } from './command-error.ts';
import type { Context } from './context.ts';
import { savedKey } from './credentials.ts';
import { jobKey } from './job-key.ts';
import { type LinkedProject, linkedProject } from './linked-project.ts';
import type { Options } from './options.ts';
import { printable, type Progress, progressOn } from './terminal.ts';
import { connect, type Service } from './service.ts';

/** One run of a command: its installation, and where it writes. */
export interface Session {
  context: Context;
  service: Service;
  progress: Progress;
  linked: LinkedProject | undefined;
  /** The project that an option or the environment names. */
  named: string | undefined;
  /** Writes a line for a person: progress, advice. */
  say: (line: string) => void;
  /** Writes a failure that does not end the command. */
  fail: (failure: CommandError) => void;
  /** Writes the result: `value` with `--json`, otherwise the lines. */
  answer: (value: unknown, lines: readonly string[]) => void;
}

/**
 * Opens a session with the installation that an option or `SLIPWAY_URL` names, else with the one that this package
 * came from, and with the key of `SLIPWAY_KEY`, of the job at a CI service, or the saved one.
 */
export async function openSession(
  context: Context,
  options: Options,
  writeFailure: Session['fail'],
): Promise<Session> {
  const url = originOf(options.url ?? (context.env['SLIPWAY_URL'] || context.home));
  const key =
    context.env['SLIPWAY_KEY'] || ((await jobKey(context, url)) ?? (await savedKey(context, url)));
  const isJson = options.json === true;
  const isQuiet = options.quiet === true;
  const progress = progressOn(context.stderr, isQuiet);
  return {
    context,
    service: connect(context, url, key),
    progress,
    linked: await linkedProject(context.cwd, url),
    named: options.project ?? (context.env['SLIPWAY_PROJECT'] || undefined),
    say(line) {
      progress.clear();
      if (!isQuiet) context.stderr.write(`${printable(line)}\n`);
    },
    fail(failure) {
      progress.clear();
      writeFailure(failure);
    },
    answer(value, lines) {
      progress.clear();
      const text = isJson ? [JSON.stringify(value)] : lines;
      for (const line of text) context.stdout.write(`${printable(line)}\n`);
    },
  };
}

function originOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw usageError(
      `${url} is not the address of an installation.`,
      'Give one like https://drop.example.com.',
    );
  }
  return new URL(url).origin;
}

/** @throws CommandError where nobody is signed in */
export function requireKey({ service }: Session): void {
  if (service.hasKey) return;
  throw new CommandError(exitCodes.signedOut, `You are not signed in at ${service.url}.`, {
    next: 'Run: slipway login',
  });
}

/**
 * The id of the project that a command is about: its operand, else an option or the environment, else that of this
 * folder. An operand may also be the address of a project, or the name in it.
 * @throws CommandError where there is none, and where nobody is signed in
 */
export async function requireProject(session: Session, operand?: string): Promise<string> {
  requireKey(session);
  const named = operand ?? session.named ?? session.linked?.projectId;
  if (named === undefined) {
    throw usageError(
      'This folder is linked to no project.',
      'Name one (slipway list shows them), or link this folder: slipway link PROJECT',
    );
  }
  return isId(named) ? named : idByAddress(session, named);
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

async function idByAddress({ service }: Session, named: string): Promise<string> {
  const host = URL.canParse(named) ? new URL(named).host : named;
  const [slug = ''] = host.split('.');
  const { projects } = await service.call('listProjects', { q: slug, archived: 'all', limit: 100 });
  const found = projects.find((one) => one.slug === host || new URL(one.url).host === host);
  if (found !== undefined) return found.id;
  throw new CommandError(exitCodes.refused, `You have no project ${named}.`, {
    next: 'slipway list shows your projects.',
    code: 'NOT_FOUND',
  });
}
