import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions, splitOptions } from './bundle.ts';
import { loadedAtOnce } from './loaded-at-once.ts';

const samples = 15;

/** The gate with what it would load to make the same calls with the AWS SDK. */
const gateWithSdk = `
  export { handler } from './lambdas/visits/gate.ts';
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

/** Bundles the gate as it is deployed and with the SDK; what each loads at once, in bytes. */
async function bundleBoth(dir: string): Promise<Record<string, { file: string; bytes: number }>> {
  const define = { VIEWER_ASSETS: '{}' };
  const both = {
    'the gate': "export { handler } from './lambdas/visits/gate.ts';",
    'with the SDK': gateWithSdk,
  };
  const bundles = Object.entries(both).map(async ([name, contents]) => {
    const stdin = { contents, resolveDir: bundleOptions.absWorkingDir, sourcefile: 'index.ts' };
    const outdir = path.join(dir, name.replaceAll(' ', '-'));
    const options = { ...bundleOptions, ...splitOptions, define, stdin, outdir };
    const { metafile } = await build({ ...options, entryNames: 'index' });
    const file = path.join(outdir, 'index.mjs');
    const loaded = loadedAtOnce(metafile.outputs, file).map((one) => statSync(one).size);
    return [name, { file, bytes: loaded.reduce((sum, size) => sum + size) }] as const;
  });
  return Object.fromEntries(await Promise.all(bundles));
}

const dir = mkdtempSync(path.join(tmpdir(), 'slipway-bench-'));
try {
  const empty = { file: path.join(dir, 'empty.mjs'), bytes: 0 };
  writeFileSync(empty.file, '');
  const files = { 'an empty module': empty, ...(await bundleBoth(dir)) };
  const times = timeImports(Object.values(files).map(({ file }) => file));
  const [[, least] = ['', [Number.NaN, Number.NaN]]] = times;
  console.log(`Cold import, medians of ${samples} fresh processes of Node ${process.version}`);
  for (const [name, { file, bytes }] of Object.entries(files)) {
    const each = (times.get(file) ?? []).map(
      (ms, index) => `${ms.toFixed(1)} ms (× ${(ms / (least[index] ?? Number.NaN)).toFixed(1)})`,
    );
    console.log(`${name}: ${bytes} bytes, ${each.join(', of the processor ')}`);
  }
} finally {
  rmSync(dir, { recursive: true });
}
