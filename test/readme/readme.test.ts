import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import JSZip from 'jszip';
import { keptPort } from '../fixtures/clouds/kept-port.ts';
import { Reader } from './reader.ts';
import { shellBlocks } from './shell-blocks.ts';

/** Commands that are steps of `.ci/run` themselves. */
const ciSteps = new Set(['npm ci', 'npm test']);
const start = 'npm start';

/** What a block may need that this machine does not have; each is said where the block stands. */
const unavailable = new Set(['aws', 'claude', 'network']);

/** Read one after another: what one says may need what an earlier one made. */
const documents = ['README.md', 'docs/publishing.md', 'docs/laptop.md', 'docs/operating.md'];
const blocks = documents.flatMap((document) =>
  shellBlocks(readFileSync(document, 'utf8')).map((block) => ({ document, ...block })),
);
const folder = mkdtempSync(path.join(tmpdir(), 'slipway-readme-'));
let npm: ChildProcess;
let reader: Reader;
let port = 0;
let output = '';

/** A clone as a newcomer has it after `npm ci`. */
function cloneRepository(): void {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(file, path.join(folder, file));
  }
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
}

/**
 * Bundles that this checkout has built of the same sources, as `npm run synth` does before in CI, need not be built
 * once more; without them, `npm start` builds. Templates and the assembly are made in the clone in any case.
 */
function keepBundles(): void {
  const builds = path.join('.slipway', 'builds');
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds)) {
    if (!/^[a-z-]+@/.test(name) || /^(?:assembly|templates|programs)@/.test(name)) continue;
    cpSync(path.join(builds, name), path.join(folder, builds, name), { recursive: true });
  }
}

/** The files that a reader has to publish. */
async function makeFiles(): Promise<void> {
  writeFileSync(
    path.join(folder, 'index.html'),
    '<!doctype html><title>Hello</title><h1>Hello</h1>',
  );
  writeFileSync(path.join(folder, 'report.pdf'), '%PDF-1.4\n');
  const zip = new JSZip()
    .file('index.html', '<!doctype html><title>Build</title>')
    .file('a.css', '');
  writeFileSync(path.join(folder, 'dist.zip'), await zip.generateAsync({ type: 'uint8array' }));
}

async function untilReady(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/^Ready\.$/m.test(output)) resolve();
    };
    npm.stdout?.on('data', read);
    npm.stderr?.on('data', read);
    npm.once('exit', () => reject(new Error(`npm start ended:\n${output}`)));
  });
}

beforeAll(async () => {
  cloneRepository();
  keepBundles();
  await makeFiles();
  port = await keptPort();
  const env = { ...process.env, NODE_OPTIONS: '' };
  npm = spawn('npm', ['start', '--', `--port=${port}`, '--quiet'], { cwd: folder, env });
  await untilReady();
  reader = new Reader(folder, `http://localhost:${port}`);
}, 600_000);

afterAll(async () => {
  if (npm.exitCode === null && npm.signalCode === null) {
    npm.kill('SIGTERM');
    await once(npm, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('the commands of the README and of the pages that it leads to', () => {
  test('begin with the start, which has run', () => {
    const [first] = blocks;
    expect(first?.commands).toEqual([`npm ci && ${start}`]);
  });

  test.each(blocks.filter(({ needs }) => needs !== undefined))(
    '$document, line $line: what it needs has a name: $needs',
    ({ needs }) => expect(unavailable).toContain(needs),
  );

  const commands = blocks
    .filter(({ needs }) => needs === undefined)
    .flatMap((block) => block.commands.flatMap((command) => command.split(' && ')))
    .filter((command) => command !== start && !ciSteps.has(command));

  test.each(commands)('%s', async (command) => {
    await reader.run(command);
  });
});

/** The templates that the README's `npx cdk synth` has written; other commands of the CDK would synthesize them again. */
const synthesized = '--app cdk.out';

describe('the CDK, without credentials', () => {
  const cdk = (command: string) =>
    spawnSync('npx', ['cdk', ...command.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        AWS_EC2_METADATA_DISABLED: 'true',
      },
    });

  test('lists the stacks of the example, whose deployment CloudFormation refuses', () => {
    expect(cdk(`list ${synthesized}`)).toMatchObject({
      status: 0,
      stdout: 'SlipwayData\nSlipwayService\n',
    });
    for (const stack of ['SlipwayData', 'SlipwayService']) {
      const file = path.join(folder, 'cdk.out', `${stack}.template.json`);
      const { Parameters, Rules } = JSON.parse(readFileSync(file, 'utf8'));
      expect(Parameters.Settings).toMatchObject({ Default: 'example', AllowedValues: ['example'] });
      expect(Rules.SettingsAreOwn.Assertions).toEqual([
        {
          Assert: { 'Fn::Contains': [['own'], { Ref: 'Settings' }] },
          AssertDescription: expect.stringContaining('stages/default.json'),
        },
      ]);
    }
  });

  test.each(['diff', 'deploy --all --require-approval never'])(
    '%s ends at the account',
    (command) => {
      const { status, stderr } = cdk(`${command} ${synthesized}`);
      expect(stderr).toContain('Unable to resolve AWS account to use');
      expect(status).toBe(1);
    },
  );

  test('takes the named stage, and says what is missing', () => {
    const { status, stderr } = cdk('list -c stage=prod');
    expect(stderr).toContain('copy stages/example-minimal.json');
    expect(status).toBe(1);
  });
});

describe('after them', () => {
  test('SIGTERM for npm alone ends the service and everything that it started', async () => {
    const engine = Number(readFileSync(path.join(folder, '.slipway/dynamodb/engine.pid'), 'utf8'));
    const service = Number(readFileSync(path.join(folder, '.slipway/lock'), 'utf8'));
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    expect([engine, service].filter(isAlive)).toEqual([]);
    await expect(fetch(`http://localhost:${port}/health`)).rejects.toThrow();
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
