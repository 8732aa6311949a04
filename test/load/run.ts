import { parseOptions } from '../../bin/command-line.ts';
import { unavailableProblems } from './findings.ts';
import { memoryProblems } from './memory.ts';
import { type LoadResult, playLoad } from './play-load.ts';

const HELP = `Uses a new local cloud as many people would, and compares what it says with what was sent.

  npm run load -- [options]

  --seconds <n>     how long (120)
  --help            this text

Visits of pages and assets, 304s, publishes, claims, pushes, sign-ins and opens. Prints answers a second,
the times of each kind, and resident memory.

Exit code 0: every answer was as expected, every write was read back, every visit and open counted once,
memory stayed. An answer may be 503 with Retry-After while the machine is too busy for its database: these are
counted, may be one of a hundred, and none comes on a machine with nothing else to do. 1: something did not. 2: the run could not be played.
`;

const runError = 2;

async function main(): Promise<number> {
  const { values } = parseOptions(
    {
      options: {
        seconds: { type: 'string', default: '120' },
        help: { type: 'boolean', default: false },
      },
    },
    'npm run load -- --help lists the options.',
  );
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const seconds = Number(values.seconds);
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new Error(`--seconds ${values.seconds} is no number above 0. Write --seconds 120.`);
  }
  const result = await playLoad(seconds);
  const problems = [
    ...result.findings.problems,
    ...unavailableProblems(result.findings),
    ...memoryProblems(result.megabytes, seconds),
  ];
  report(result, seconds);
  console.log(problems.length === 0 ? '\nNothing was lost.' : `\n${problems.join('\n')}`);
  return problems.length === 0 ? 0 : 1;
}

function report({ findings, megabytes }: LoadResult, seconds: number): void {
  const { atStart, afterWarmUp, atEnd, growthPerMinute } = megabytes;
  const rate = (findings.answers / seconds).toFixed(1);
  console.log(`${findings.answers} answers in ${seconds} seconds, ${rate} a second`);
  for (const line of findings.lines(seconds)) console.log(line);
  console.log(`${findings.unavailable} of them were 503: a store gave no answer in time`);
  const [start, half, end, growth] = [atStart, afterWarmUp, atEnd, growthPerMinute].map((one) =>
    one.toFixed(0),
  );
  console.log(
    `memory: ${start} MB at the start, ${half} MB after half of the time, ${end} MB at the end; ${growth} MB a minute in the second half`,
  );
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = runError;
}
