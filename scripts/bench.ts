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

/** Prints how long a fresh Node takes to import the file, in milliseconds. */
const measure = `
  const startedAt = performance.now();
  await import(process.argv[1]);
  process.stdout.write(String(performance.now() - startedAt));
`;

function importMs(file: string): number {
  const args = ['--input-type=module', '-e', measure, pathToFileURL(file).href];
  // As the functions run: reading the source map is part of it.
  const env = { NODE_OPTIONS: '--enable-source-maps' };
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8', env }));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Times all files in turns, so that what else the machine does falls on each of them alike. */
function timeImports(files: Record<string, string>): Map<string, number> {
  const taken = new Map<string, number[]>(Object.keys(files).map((name) => [name, []]));
  for (let sample = 0; sample < samples; sample += 1) {
    for (const [name, file] of Object.entries(files)) taken.get(name)?.push(importMs(file));
  }
  return new Map([...taken].map(([name, values]) => [name, median(values)]));
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

  console.log(`Cold import, median of ${samples} fresh processes of Node ${process.version}`);
  const medians = timeImports(files);
  const empty = medians.get('an empty module') ?? Number.NaN;
  for (const [name, file] of Object.entries(files)) {
    const ms = medians.get(name) ?? Number.NaN;
    const times = `${ms.toFixed(1)} ms, ${(ms / empty).toFixed(1)} times an empty module`;
    console.log(`${name}: ${statSync(file).size} bytes, ${times}`);
  }
} finally {
  rmSync(dir, { recursive: true });
}
