import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, baseUrl } from '../../fixtures/clouds/client.ts';
import { type CommandStep, commandSteps } from '../../fixtures/command/command-steps.ts';

const newest = process.env['NEWER_NODE'] ?? process.execPath;
const ways = [
  { node: process.execPath, isTerminal: false },
  { node: newest, isTerminal: true },
  ...(newest === process.execPath
    ? []
    : [
        { node: newest, isTerminal: false },
        { node: process.execPath, isTerminal: true },
      ]),
];
/** The first ways run all steps; the others the first of them, until somebody has published and signed in. */
const whole = 2;
const stepsOfAll = 20;
let root = '';

/** How many of the ways run a step. What is refused before anything is sent differs in none of them, but for the words of Node's parser. */
function waysOf({ code, mostWays = code === 2 ? 1 : ways.length }: CommandStep): number {
  return mostWays;
}

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'slipway-table-'));
  writeFileSync(path.join(root, 'cli.tgz'), (await ask(`${baseUrl}/cli.tgz`)).body);
  execFileSync('tar', ['xzf', 'cli.tgz'], { cwd: root });
  write(root, 'bin/xdg-open', '#!/bin/sh\necho "$1" >> "$HOME/opened"\n');
  chmodSync(path.join(root, 'bin/xdg-open'), 0o755);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(folder: string, name: string, content: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
}

interface Way {
  node: string;
  isTerminal: boolean;
}

interface Place extends Way {
  folder: string;
  key: string;
}

/** Runs the unpacked command; on a terminal, both of its outputs are one. */
async function run(
  { node, isTerminal, folder, key }: Place,
  { args, input = '', isSignedOut, stopAt }: CommandStep,
) {
  const command = [node, path.join(root, 'package', 'main.mjs'), ...args];
  const typed = command.map((word) => `'${word}'`).join(' ');
  const [program = '', ...rest] = isTerminal
    ? ['script', '-qec', `exec ${typed}`, '/dev/null']
    : command;
  const child = spawn(program, rest, {
    cwd: folder,
    env: {
      PATH: `${path.join(root, 'bin')}:${process.env['PATH']}`,
      HOME: folder,
      ...(isSignedOut !== true && { SLIPWAY_KEY: key }),
    },
  });
  if (input !== '') child.stdin.write(input);
  if (!isTerminal) child.stdin.end();
  let printed = '';
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      printed += String(part);
      if (isStopped || stopAt?.test(printed) !== true) return;
      isStopped = true;
      if (isTerminal) child.stdin.write('\u0003');
      else child.kill('SIGINT');
    });
  }
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.destroy();
  return { code, printed };
}

/** A terminal ends lines with a carriage return, and shows progress on one line. */
function plain(printed: string): string {
  return stripVTControlCharacters(printed).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

/** The command does not wait for the browser. */
async function untilOpened(folder: string, address: RegExp): Promise<void> {
  const opened = () => readFileSync(path.join(folder, 'opened'), { encoding: 'utf8', flag: 'a+' });
  for (let turn = 0; turn < 100 && !address.test(opened()); turn += 1) await sleep(50);
  expect(opened()).toMatch(address);
}

/** Runs a step, and remembers what it says. */
async function take(place: Place, step: CommandStep, known: Record<string, string>): Promise<void> {
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name) => known[name] ?? '');
  const { args, input = '', code: expected = 0, prints = /^/, remember = {} } = step;
  for (const [name, content] of Object.entries(step.write ?? {}))
    write(place.folder, name, content);
  const words = args.map(filled);
  const answer = await run(place, { ...step, args: words, input: filled(input) });
  const printed = plain(answer.printed);
  expect({ words, printed, code: answer.code }).toEqual({
    words,
    code: expected,
    printed: expect.stringMatching(prints),
  });
  if (step.opens !== undefined) await untilOpened(place.folder, step.opens);
  for (const [name, pattern] of Object.entries(remember)) {
    known[name] = pattern.exec(printed)?.[1] ?? '';
  }
}

test.each(ways.map((way, index) => ({ ...way, index })))(
  'each command, option and exit code: $node, terminal: $isTerminal',
  async ({ index, ...way }) => {
    const folder = mkdtempSync(path.join(root, 'project-'));
    const place = { ...way, folder, key: await signIn(anEmail()) };
    const known = { key: place.key, number: `${Date.now()}${index}` };
    for (const name of ['index.html', 'about.html', '.hidden']) {
      write(folder, `dist/${name}`, `<h1>${name}</h1>`);
    }
    const steps = index < whole ? commandSteps : commandSteps.slice(0, stepsOfAll);
    for (const step of steps) {
      if (index < waysOf(step)) await take(place, step, known);
    }
  },
  240_000,
);
