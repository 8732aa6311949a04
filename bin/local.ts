import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { buildsFolder, localAssembly } from './local-assembly.ts';
import { type Cloud, startCloud } from '../local/cloud.ts';
import { describeFileError, StartError } from '../local/errors.ts';
import { SettingsError } from '../lib/settings.ts';
import { readStageFile } from '../lib/stages/stage-file.ts';
import {
  accountConcurrencyOf,
  clockAheadOf,
  isMailSandbox,
  domainDelayOf,
  partitionLimitsOf,
} from './limit-options.ts';
import { localSettings } from './local-settings.ts';
import { CommandError, parseOptions, progressLines } from './command-line.ts';

// Functions run in worker threads, which share the process's time zone; Lambda's is UTC.
process.env['TZ'] = 'UTC';

const HELP = `Runs Slipway on this computer: no AWS account, no Docker, no network.

  npm start -- [options]

  --port <number>      where to listen on 127.0.0.1 (8787; 0 takes a free port)
  --host <address>     listen on this address instead; 0.0.0.0 lets everybody in your network in
  --public-url <url>   the app's address for others: http://192.168.1.20:8787
  --sites-domain <d>   the domain below which others see projects, with its port; *.<d> must
                       resolve to this computer: sites.box.lan:8787
  --fresh              delete all projects, files, mails and keys first
  --state-dir <path>   where they are stored (.slipway)
  --stage <name>       use the plans, limits and texts of stages/<name>.json
  --setting <k>=<v>    overrides a setting; may be repeated, and the name may have dots:
                       --setting trialDays=0 --setting plans.free.maxProjects=3
  --assembly <path>    run the templates and functions that an earlier start has put there; nothing is
                       built, and settings have no effect
  --account-quota new  run as few functions at once as a new AWS account: 10
  --partition-limits aws  throttle a partition key of a table as DynamoDB does, beyond 1,000 write
                       units or 3,000 read units a second; 5/10 sets lower limits, for tests
  --mail sandbox       mail only verified addresses, as SES does in a new AWS account
  --domain-delay <s>   how long ACM and CloudFront take for a custom domain, and DNS to forget (5 seconds)
  --clock-ahead <s>    start with the clock this many seconds ahead, as /_local/ can move it
  --quiet              do not print the functions' logs
  --help               this text
`;

const OPEN_TO_NETWORK = `Everybody who reaches this computer can use the service and see what is published, without
encryption. Mails and controls (/_local/) answer on this computer only.
`;

const root = fileURLToPath(new URL('..', import.meta.url));

function options() {
  const { values } = parseOptions(
    {
      options: {
        port: { type: 'string', default: '8787' },
        host: { type: 'string', default: '127.0.0.1' },
        'public-url': { type: 'string' },
        'sites-domain': { type: 'string' },
        fresh: { type: 'boolean', default: false },
        'state-dir': { type: 'string', default: path.join(root, '.slipway') },
        stage: { type: 'string' },
        assembly: { type: 'string' },
        setting: { type: 'string', multiple: true, default: [] },
        'account-quota': { type: 'string', default: 'unlimited' },
        'partition-limits': { type: 'string', default: 'none' },
        mail: { type: 'string', default: 'everybody' },
        'domain-delay': { type: 'string' },
        'clock-ahead': { type: 'string', default: '0' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    'npm start -- --help lists the options.',
  );
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new StartError(`${values.port} is not a port. Use --port with a number up to 65535.`);
  }
  const account = {
    accountConcurrency: accountConcurrencyOf(values['account-quota']),
    partitionLimits: partitionLimitsOf(values['partition-limits']),
    mailSandbox: isMailSandbox(values.mail),
    domainDelaySeconds: domainDelayOf(values['domain-delay']),
    clockAheadSeconds: clockAheadOf(values['clock-ahead']),
  };
  return { ...values, port, account, ...networkOptions(values) };
}

const PublicUrl = z
  .url({ protocol: /^http$/, hostname: /^[a-z0-9.-]+$/ })
  .refine((url) => new URL(url).pathname === '/' && new URL(url).search === '')
  .transform((url) => new URL(url).origin);
const SitesDomain = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?$/);

/** How others reach the cloud; a wrong address would only be found when their browsers fail. */
function networkOptions(values: { 'public-url'?: string; 'sites-domain'?: string }) {
  const url = PublicUrl.optional().safeParse(values['public-url']);
  if (!url.success) {
    throw new StartError(
      `--public-url ${values['public-url']} must be like http://192.168.1.20:8787: http, no path.`,
    );
  }
  const domain = SitesDomain.optional().safeParse(values['sites-domain']);
  if (!domain.success) {
    throw new StartError(
      `--sites-domain ${values['sites-domain']} must be a domain and a port, like sites.box.lan:8787.`,
    );
  }
  return { publicUrl: url.data, sitesDomain: domain.data };
}

function announce({ baseUrl, localUrl, sitesDomain }: Cloud): void {
  console.log(`
Ready.

  App       ${baseUrl}
  Projects  http://<slug>.${sitesDomain}
  E-mails   ${localUrl}/_local/mail
  Controls  ${localUrl}/_local/

Try it:

  echo '<h1>Hello</h1>' > index.html
  curl -F files=@index.html ${baseUrl}/v1/projects/temp

Ctrl-C stops it.
`);
}

function isOwnBuild(assembly: string): boolean {
  return path.resolve(assembly).startsWith(buildsFolder + path.sep);
}

/** Ctrl-C sends a signal to npm too, which passes it on: the second one comes at once and is no second Ctrl-C. */
const REPEATED_MS = 500;

/** Stops on a signal, also while the cloud starts; returns where to put the cloud when it runs. */
function stopOnSignal(): { cloud?: Cloud } {
  const running: { cloud?: Cloud } = {};
  let stoppingSince = 0;
  const stop = () => {
    if (stoppingSince > 0) {
      if (Date.now() - stoppingSince > REPEATED_MS) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    if (running.cloud === undefined) process.exit(1);
    running.cloud.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return running;
}

async function main(): Promise<void> {
  const { port, fresh, 'state-dir': stateDir, quiet, help, ...network } = options();
  const { host, publicUrl, sitesDomain, account, stage, setting, assembly } = network;
  if (help) return console.log(HELP);
  if (assembly !== undefined && (stage !== undefined || setting.length > 0)) {
    throw new StartError('--assembly has its settings already: leave out --setting and --stage.');
  }
  const running = stopOnSignal();
  const addresses = {
    ...(publicUrl !== undefined && { appDomain: new URL(publicUrl).host }),
    ...(sitesDomain !== undefined && { sitesDomain }),
  };
  const stageFile = stage === undefined ? {} : readStageFile(stage);
  const settings = { ...localSettings(setting, stageFile), ...addresses };
  const report = progressLines(process.stdout);
  const cloud = await startCloud({
    port,
    fresh,
    stateDir: path.resolve(stateDir),
    assembly: async () => assembly ?? localAssembly(buildsFolder, settings, report),
    host,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(sitesDomain !== undefined && { sitesDomain }),
    ...account,
    // Beside a build of our own, which is deleted with it; not beside a folder that somebody named.
    keepsCompiledCode: assembly === undefined || isOwnBuild(assembly),
    log: (line) => (quiet ? undefined : console.log(line)),
  });
  running.cloud = cloud;
  report('');
  announce(cloud);
  if (!/^(?:127\.|localhost$|::1$)/.test(host)) console.log(OPEN_TO_NETWORK);
}

try {
  await main();
} catch (error) {
  const isExpected =
    error instanceof StartError || error instanceof CommandError || error instanceof SettingsError;
  console.error(isExpected ? error.message : (describeFileError(error) ?? error));
  process.exit(1);
}
