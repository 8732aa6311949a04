#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { operations } from 'virtual:operations';
import { run } from './run.ts';

interface Package {
  version: string;
  /** The installation that made this package. */
  homepage: string;
}

const { version, homepage }: Package = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());
// `slipway list | head` closes the output early.
process.stdout.on('error', () => process.exit());
const { env, platform, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  home: homepage,
  version,
  operations,
  env,
  cwd: process.cwd(),
  platform,
  stdin,
  stdout,
  stderr,
  signal: stop.signal,
});
// An input that is still open would keep the process.
stdin.unref?.();
