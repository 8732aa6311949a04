import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions, splitOptions } from './bundle.ts';
import { loadedAtOnce } from './loaded-at-once.ts';

const samples = 15;

/** The gate together with the SDK clients that it would need for the same calls. */
const gateWithSdk = `
  export { handler } from './lambdas/visits/gate.ts';
  export { contentBucket } from './adapters/s3/content-bucket.ts';
  export { documentClient, documentItems } from './adapters/dynamodb/document-client.ts';
  export { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  export { getSignedUrl } from '@aws-sdk/cloudfront-signer';
`;

/** Prints the elapsed time and the CPU time of importing a file in a new process. */
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
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', env: {} }));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Times all files in turns, so that other load on the machine affects all of them equally. */
function timeImports(files: string[]): Map<string, Times> {
  const samplesByFile = new Map<string, Times[]>(files.map((file) => [file, []]));
  for (let sample = 0; sample < samples; sample += 1) {
    for (const [file, times] of samplesByFile) times.push(timeImport(file));
  }
  return new Map(
    [...samplesByFile].map(([file, times]) => [
      file,
      [median(times.map(([ms]) => ms)), median(times.map(([, processorMs]) => processorMs))],
    ]),
  );
}

/** Bundles the gate as deployed, and with the SDK. `bytes` is the size that an import reads. */
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
