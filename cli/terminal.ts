import { spawn } from 'node:child_process';
import { formatBytes, formatDuration } from '../web/app/texts/format.ts';
import { CommandError, exitCodes } from './command-error.ts';
import type { Context, OutputStream } from './context.ts';

/** Shows what a long work is doing: on a terminal one line that changes, in a log nothing. */
export interface Progress {
  show(text: string): void;
  /** Removes the line. */
  clear(): void;
}

/** The progress of a command on an output. It uses no colors. */
export function progressOn(output: OutputStream, isQuiet: boolean): Progress {
  if (output.isTTY !== true || isQuiet) return { show: () => undefined, clear: () => undefined };
  let shown = '';
  const write = (text: string) => {
    if (text === shown) return;
    shown = text;
    output.write(`\r\u001B[K${printable(text)}`);
  };
  return { show: write, clear: () => write('') };
}

/** How much of some bytes was sent, and how long the rest takes at the speed so far. */
export function sentText(sent: number, total: number, seconds: number): string {
  const text = `Sent ${formatBytes(sent)} of ${formatBytes(total)}`;
  if (sent === 0 || seconds < 1) return text;
  return `${text}, ${formatDuration(Math.ceil(((total - sent) / sent) * seconds))} left`;
}

/** Rows as lines of text whose columns begin below each other. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * A text without what a terminal obeys or what reorders its letters: such characters become `\\u001b` and the like, as
 * in JSON. Names of files and projects, and messages of a service, may be somebody else's.
 */
export function printable(text: string): string {
  return text.replaceAll(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** No shell: `cmd` would run what follows an `&` in an address. */
const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a web address in the browser of this computer; where there is none, nothing happens. */
export async function openInBrowser({ platform }: Context, url: string): Promise<void> {
  // The address may be of a service that is somebody else's: no files, no programs, no options.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return;
  const [program, ...options] = openers[platform] ?? ['xdg-open'];
  await new Promise<void>((resolve) => {
    const address = new URL(url).href;
    const child = spawn(program, [...options, address], { stdio: 'ignore', detached: true });
    child.on('error', () => resolve());
    child.on('spawn', () => {
      child.unref();
      resolve();
    });
  });
}

/** The first line of an input. @throws CommandError where there is none */
export async function lineOf(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += chunk.toString();
    if (text.includes('\n')) break;
  }
  const [line = ''] = text.split(/\r?\n/);
  if (line === '') throw new CommandError(exitCodes.usage, 'There is nothing on standard input.');
  return line;
}
