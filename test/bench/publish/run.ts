import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { ask } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { aForm } from '../../fixtures/uploads/multipart.ts';
import { measureCommand } from './command.ts';
import { manySmallFiles } from './many-small-files.ts';
import { measureSearch } from './search-for-keys.ts';

/** Turns that are measured, after those that warm up the function's workers. */
const turns = { warmUp: 6, measured: 9 };
const fileCounts = [1, 500, 2000];
/** Linux counts the processor time of a process in hundredths of a second (proc(5)). */
const ticksOfSecond = 100;

type Work = () => Promise<unknown>;

/** One publish of an archive, and one `unzip` of it, in milliseconds. */
interface Turn {
  elapsed: number;
  /** Processor time of the local cloud, without that of its database. */
  processor: number;
  unzip: number | undefined;
}

async function elapsedMs(work: Work): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksOfSecond;
}

/** Resolves with `undefined` where there is no `unzip` (Debian: `apt-get install unzip`). */
async function unzipMs(archive: string, folder: string): Promise<number | undefined> {
  let isMissing = false;
  const ms = await elapsedMs(
    () =>
      new Promise<void>((resolve, reject) => {
        const child = spawn('unzip', ['-q', archive, '-d', folder], { stdio: 'inherit' });
        child.once('error', () => {
          isMissing = true;
          resolve();
        });
        child.once('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`unzip ended with ${code}`)),
        );
      }),
  );
  rmSync(folder, { recursive: true, force: true });
  return isMissing ? undefined : ms;
}

/** An account's calls for one archive. */
function publisher(service: string, apiKey: string, zip: Buffer) {
  const authorization = `Bearer ${apiKey}`;
  const { body, contentType } = aForm([
    { name: 'title', body: 'Bench' },
    { name: 'zipIndexHtmlPath', body: 'index.html' },
    { name: 'files', filename: 'site.zip', contentType: 'application/zip', body: zip },
  ]);
  return {
    async publish(): Promise<string> {
      const headers = { 'content-type': contentType, authorization };
      const answer = await ask(`${service}/v1/projects`, { method: 'POST', headers, body });
      if (answer.status !== 201) throw new Error(`not published: ${answer.text}`);
      return answer.json.data.projectId;
    },
    async remove(projectId: string): Promise<void> {
      const headers = { authorization };
      await ask(`${service}/v1/projects/${projectId}`, { method: 'DELETE', headers });
    },
  };
}

async function measure(cloud: LocalCloud, account: ReturnType<typeof publisher>, archive: string) {
  const measured: Turn[] = [];
  for (let turn = 0; turn < turns.warmUp + turns.measured; turn += 1) {
    const before = processorMs(cloud.pid);
    let projectId = '';
    const elapsed = await elapsedMs(async () => {
      projectId = await account.publish();
    });
    const processor = processorMs(cloud.pid) - before;
    await account.remove(projectId);
    const unzip = await unzipMs(archive, `${archive}-files`);
    if (turn >= turns.warmUp) measured.push({ elapsed, processor, unzip });
  }
  return measured;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function row(fileCount: number, bytes: number, measured: readonly Turn[], writes: number): string {
  const elapsed = median(measured.map((turn) => turn.elapsed));
  const unzip = median(measured.flatMap((turn) => turn.unzip ?? []));
  const cells = [
    `${fileCount} files, ${(bytes / 1e6).toFixed(1)} MB`,
    `${elapsed.toFixed(0)} ms`,
    `${median(measured.map((turn) => turn.processor)).toFixed(0)} ms`,
    Number.isNaN(unzip)
      ? 'not installed'
      : `${unzip.toFixed(0)} ms (× ${(elapsed / unzip).toFixed(1)})`,
    writes,
  ];
  return `| ${cells.join(' | ')} |`;
}

async function main(): Promise<void> {
  await measureSearch();
  const folder = mkdtempSync(path.join(tmpdir(), 'slipway-bench-'));
  const plan = ['maxFilesPerProject=20000', 'maxProjects=-1'];
  const settings = plan.map((limit) => `plans.free.${limit}`);
  const cloud = new LocalCloud(...settings, 'deletedKeptDays=0');
  try {
    await cloud.start();
    const apiKey = await signIn(undefined, cloud.baseUrl);
    console.log(`Publishing a ZIP, medians of ${turns.measured}; load ${loadavg()[0]?.toFixed(1)}`);
    console.log('| | Elapsed | Processor time | unzip (ratio of elapsed) | Writes to S3 |');
    console.log('|---|---|---|---|---|');
    for (const fileCount of fileCounts) {
      const zip = manySmallFiles(fileCount);
      const archive = path.join(folder, `${fileCount}.zip`);
      writeFileSync(archive, zip);
      const account = publisher(cloud.baseUrl, apiKey, zip);
      const measured = await measure(cloud, account, archive);
      const calls = await cloud.costOf(() => account.publish());
      console.log(row(fileCount, zip.length, measured, calls['s3:PutObject'] ?? 0));
    }
    await measureCommand(cloud, apiKey, path.join(folder, `${fileCounts.at(-1)}.zip`));
    console.log(`Load at the end: ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    await cloud.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
