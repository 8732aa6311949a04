import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { baseUrl, file, isLocal, publish, somebody } from '../../fixtures/clouds/client.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

export interface CurlAnswer {
  status: string;
  code?: string;
  error?: string;
  htmlPaths?: string[];
  data?: { url: string };
}

/** `curl -F files=@<path> …/v1/projects/temp`, as the README has it; our own client where there is no curl. */
export async function curlUpload(
  path: string,
  fields: Record<string, string> = {},
): Promise<CurlAnswer> {
  if (!hasCurl) {
    const parts = Object.entries(fields).map(([name, body]) => ({ name, body }));
    return (await publish([file(basename(path), readFileSync(path)), ...parts])).json;
  }
  const form = Object.entries(fields).flatMap(([name, value]) => ['-F', `${name}=${value}`]);
  // An address of its own, so that no other test uses up its uploads.
  const from = isLocal ? ['-4', '--interface', somebody()] : [];
  const url = `${baseUrl}/v1/projects/temp`;
  return JSON.parse(await run('curl', ['-sS', ...from, '-F', `files=@${path}`, ...form, url]));
}

/** Runs a program to its end and gives what it printed; throws with its complaint when it fails. */
export function run(program: string, args: string[], cwd?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Jest's own options are not meant for other programs.
    const child = spawn(program, args, { cwd, env: { ...process.env, NODE_OPTIONS: '' } });
    let output = '';
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code}:\n${output}${complaint}`));
    });
  });
}
