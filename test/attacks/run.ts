import { parseOptions } from '../../bin/command-line.ts';
import type { Attack } from './attack.ts';
import { describeOutcome, exitCode, runAttacks } from './run-attacks.ts';

const HELP = `Plays known attacks against a running service and prints what they gained: nothing, if it holds.

  npm run attack -- [options]

  --url <address>   the app of the service to attack; without it a fresh local cloud is started,
                    and ended afterwards
  --seconds <n>     how long each attack may send requests (20)
  --only <name>     this attack alone; may be given again
  --i-own-this      allows a --url that is not on this machine: attack only an installation of your own.
                    It locks out accounts and fills limits there for up to a day
  --help            this text

Exit code 0: nothing was gained. 1: something was. 2: an attack could not be played.
`;

const usageError = 2;

function options() {
  const { values } = parseOptions(
    {
      options: {
        url: { type: 'string' },
        seconds: { type: 'string', default: '20' },
        only: { type: 'string', multiple: true, default: [] },
        'i-own-this': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    'npm run attack -- --help lists the options.',
  );
  const seconds = Number(values.seconds);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new Error(`--seconds ${values.seconds} is no number above 0.`);
  }
  if (values.url !== undefined && !isOnThisMachine(values.url) && !values['i-own-this']) {
    throw new Error(
      `${values.url} is not on this machine. Add --i-own-this if it is an installation of your own.`,
    );
  }
  return { ...values, seconds };
}

function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url))
    throw new Error(`--url ${url} is no address. Write http://localhost:8787.`);
  const { hostname } = new URL(url);
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function chosen(
  attacks: Readonly<Record<string, Attack>>,
  only: readonly string[],
): Record<string, Attack> {
  const unknown = only.find((name) => attacks[name] === undefined);
  if (unknown !== undefined) {
    throw new Error(
      `There is no attack ${unknown}. There are: ${Object.keys(attacks).join(', ')}.`,
    );
  }
  const wanted = Object.entries(attacks).filter(
    ([name]) => only.length === 0 || only.includes(name),
  );
  return Object.fromEntries(wanted);
}

async function main(): Promise<number> {
  const { url, seconds, only, help } = options();
  if (help) {
    console.log(HELP);
    return 0;
  }
  // The fixtures that attacks are made of read where the service is when they are loaded.
  if (url !== undefined) process.env['BASE_URL'] = url;
  const { attacks } = await import('./attacks.ts');
  const playing = chosen(attacks, only);
  const { baseUrl, end } = url === undefined ? await ownCloud() : { baseUrl: url, end: undefined };
  try {
    const report = (outcome: Parameters<typeof describeOutcome>[0]) =>
      console.log(describeOutcome(outcome));
    const outcomes = await runAttacks(playing, {
      baseUrl: baseUrl.replace(/\/$/, ''),
      seconds,
      report,
    });
    return exitCode(outcomes);
  } finally {
    await end?.();
  }
}

async function ownCloud() {
  const { LocalCloud } = await import('../fixtures/clouds/local-cloud.ts');
  const cloud = new LocalCloud();
  console.log('Starting a local cloud …\n');
  await cloud.start();
  return { baseUrl: cloud.baseUrl, end: () => cloud.remove() };
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = usageError;
}
