import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import type { SynthTarget } from '../local/build.ts';
import { type Cloud, startCloud } from '../local/cloud.ts';
import { StartError } from '../local/start-error.ts';

// Functions run in worker threads, which share the process's time zone; Lambda's is UTC.
process.env['TZ'] = 'UTC';

const HELP = `Runs Slipway on this computer: no AWS account, no Docker, no network.

  npm start -- [options]

  --port <number>      where to listen on 127.0.0.1 (8787; 0 takes a free port)
  --fresh              forget all projects, files, mails and keys first
  --state-dir <path>   where they are kept (.slipway)
  --setting <k>=<v>    a setting over those of cdk.json; may be given again, and the name may have
                       dots: --setting trialDays=0 --setting plans.free.maxProjects=3
  --quiet              print no lines of the functions' logs
  --help               this text
`;

const root = fileURLToPath(new URL('..', import.meta.url));

const CdkJson = z.object({ context: z.object({ slipway: z.record(z.string(), z.unknown()) }) });

function options() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8787' },
      fresh: { type: 'boolean', default: false },
      'state-dir': { type: 'string', default: path.join(root, '.slipway') },
      setting: { type: 'string', multiple: true, default: [] },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new StartError(`${values.port} is no port. Use --port with a number up to 65535.`);
  }
  return { ...values, port };
}

async function bundle(bundlesDir: string): Promise<void> {
  console.log('Bundling (only after a change) …');
  const { bundleFunctions } = await import('../scripts/bundle.ts');
  await bundleFunctions(bundlesDir);
}

/** Loading the CDK takes a second, so it only happens when the sources or settings have changed. */
async function synth({ settings, bundlesDir, outdir }: SynthTarget): Promise<void> {
  console.log('Synthesizing (only after a change) …');
  const { buildApp } = await import('../lib/app.ts');
  const { parseSettings } = await import('../lib/settings.ts');
  buildApp(parseSettings(settings), { bundlesDir, outdir }).synth();
}

function deploymentSettings(): Record<string, unknown> {
  const file = path.join(root, 'cdk.json');
  if (!existsSync(file)) return {};
  return CdkJson.parse(JSON.parse(readFileSync(file, 'utf8'))).context.slipway;
}

const Settings = z.record(z.string(), z.unknown());

/** `settings` with one of them replaced, which is written `plans.free.maxProjects=3`; a value that is no JSON is text. */
function withSetting(settings: Record<string, unknown>, written: string): Record<string, unknown> {
  const [, name, rest, value] = /^([A-Za-z]+)((?:\.[A-Za-z]+)*)=(.*)$/s.exec(written) ?? [];
  if (name === undefined || rest === undefined || value === undefined) {
    throw new StartError(`${written} is no setting. Write it as --setting trialDays=0.`);
  }
  const inner = Settings.safeParse(settings[name]).data ?? {};
  const own = rest === '' ? jsonOrText(value) : withSetting(inner, `${rest.slice(1)}=${value}`);
  return { ...settings, [name]: own };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function announce({ baseUrl, sitesDomain }: Cloud): void {
  console.log(`
Ready.

  App       ${baseUrl}
  Projects  http://<slug>.${sitesDomain}
  E-mails   ${baseUrl}/_local/mail
  Controls  ${baseUrl}/_local/

Try it:

  echo '<h1>Hello</h1>' > index.html
  curl -F files=@index.html ${baseUrl}/v1/projects/temp

Ctrl-C stops it.
`);
}

function stopOnSignal(cloud: Cloud): void {
  let stopping = false;
  const stop = () => {
    // A second Ctrl-C does not wait for anything.
    if (stopping) process.exit(1);
    stopping = true;
    cloud.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

async function main(): Promise<void> {
  const { port, fresh, 'state-dir': stateDir, setting, quiet, help } = options();
  if (help) return console.log(HELP);
  const cloud = await startCloud({
    port,
    fresh,
    stateDir: path.resolve(stateDir),
    root,
    cacheDir: path.join(root, '.slipway', 'assembly'),
    settings: setting.reduce(withSetting, deploymentSettings()),
    bundle,
    synth,
    log: (line) => (quiet ? undefined : console.log(line)),
  });
  stopOnSignal(cloud);
  announce(cloud);
}

try {
  await main();
} catch (error) {
  const isForPeople =
    error instanceof StartError || (error instanceof TypeError && 'code' in error);
  console.error(isForPeople ? error.message : error);
  process.exit(1);
}
