import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleFunctions, bundleOptions } from './bundle.ts';

const samples = 15;

/** The gate with what it would load to make the same calls with the AWS SDK. */
const gateWithSdk = `
  export { handler } from './lambdas/gate.ts';
  export { contentBucket } from './adapters/content-bucket.ts';
  export { documentClient, documentItems } from './adapters/dynamodb.ts';
  export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  export { getSignedUrl } from '@aws-sdk/cloudfront-signer';
`;

/** Prints how long a fresh Node takes to import the file, and what of it the processor worked. */
const measure = `
  const startedAt = performance.now();
  const worked = process.cpuUsage();
  await import(process.argv[1]);
  const { user, system } = process.cpuUsage(worked);
  process.stdout.write(JSON.stringify([performance.now() - startedAt, (user + system) / 1000]));
`;

type Times = [ms: number, processorMs: number];

function timeImport(file: string): Times {
  const args = ['--input-type=module', '-e', measure, pathToFileURL(file).href];
  // As the functions run: reading the source map is part of it.
  const env = { NODE_OPTIONS: '--enable-source-maps' };
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env }));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Times all files in turns, so that what else the machine does falls on each of them alike. */
function timeImports(files: string[]): Map<string, Times> {
  const taken = new Map<string, Times[]>(files.map((file) => [file, []]));
  for (let sample = 0; sample < samples; sample += 1) {
    for (const [file, times] of taken) times.push(timeImport(file));
  }
  return new Map(
    [...taken].map(([file, times]) => [
      file,
      [median(times.map(([ms]) => ms)), median(times.map(([, processorMs]) => processorMs))],
    ]),
  );
}

const dir = mkdtempSync(path.join(tmpdir(), 'slipway-bench-'));
try {
  const files = {
    'an empty module': path.join(dir, 'empty.mjs'),
    'the gate': path.join(dir, 'gate', 'index.mjs'),
    'the gate with the SDK': path.join(dir, 'sdk.mjs'),
  };
  await bundleFunctions(dir);
  writeFileSync(files['an empty module'], '');
  const stdin = { contents: gateWithSdk, resolveDir: bundleOptions.absWorkingDir };
  await build({ ...bundleOptions, stdin, outfile: files['the gate with the SDK'] });

  const times = timeImports(Object.values(files));
  const [empty] = times.values();
  console.log(`Cold import, medians of ${samples} fresh processes of Node ${process.version}`);
  for (const [name, file] of Object.entries(files)) {
    const each = (times.get(file) ?? []).map((ms, index) => {
      const ratio = ms / (empty?.[index] ?? Number.NaN);
      return `${ms.toFixed(1)} ms (${ratio.toFixed(1)} times an empty module)`;
    });
    console.log(`${name}: ${statSync(file).size} bytes, ${each.join(', of the processor ')}`);
  }
} finally {
  rmSync(dir, { recursive: true });
}
