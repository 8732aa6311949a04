import { loadavg } from 'node:os';
import { type Browser, chromium } from 'playwright-core';
import { parseOptions } from '../../bin/command-line.ts';
import { signIn } from '../fixtures/accounts/accounts.ts';
import { LocalCloud } from '../fixtures/clouds/local-cloud.ts';
import { ended, publishedUpload, sent } from '../fixtures/uploads/uploads.ts';
import { type HeavyFile, heavyFiles } from './heavy-files.ts';
import { measurePage, type PageFigures } from './measure-page.ts';

const HELP = `Publishes large files to a new local cloud and opens each in Chromium.

  npm run bench:viewers -- [options]

  --only <text>     files whose title has this text in it
  --samples <n>     how often each is opened (3); medians are printed
  --slowness <n>    how much the processor of the page's main thread is slowed (4)
  --help            this text
`;

const headings = ['Content', 'Last long task', 'Longest task', 'Scripts', 'Heap'];

async function main(): Promise<void> {
  const { values } = parseOptions(
    {
      options: {
        only: { type: 'string', default: '' },
        samples: { type: 'string', default: '3' },
        slowness: { type: 'string', default: '4' },
        help: { type: 'boolean', default: false },
      },
    },
    'npm run bench:viewers -- --help lists the options.',
  );
  if (values.help) return console.log(HELP);
  const files = heavyFiles.filter(({ title }) => title.includes(values.only));
  const gibibyte = 1024 ** 3;
  const limits = [
    'maxFilesPerProject=20000',
    'maxProjects=-1',
    `maxUploadBytes=${gibibyte}`,
    `maxStorageBytes=${gibibyte}`,
  ];
  const cloud = new LocalCloud(...limits.map((limit) => `plans.free.${limit}`));
  try {
    await cloud.start();
    const apiKey = await signIn(undefined, cloud.baseUrl);
    const load = loadavg()[0]?.toFixed(1);
    console.log(`Medians of ${values.samples}, slowed ${values.slowness} times; load ${load}`);
    console.log(`| | ${headings.join(' | ')} |\n|---${'|---'.repeat(headings.length)}|`);
    for (const file of files) {
      const sample = async () => {
        const url = await publish(cloud.baseUrl, apiKey, file);
        return openTimes(url, file, Number(values.samples), Number(values.slowness));
      };
      const line = await sample().then(
        (samples) => row(file.title, samples),
        (error: unknown) => `| ${file.title} | ${String(error)} |`,
      );
      console.log(line);
    }
    console.log(`Load at the end: ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    await cloud.remove();
  }
}

async function publish(
  service: string,
  apiKey: string,
  { name, make, isArchive }: HeavyFile,
): Promise<string> {
  const bytes = await make();
  const uploadId = await sent(isArchive ? bytes : { [name]: bytes }, { apiKey, service });
  const { url } = await publishedUpload('create', uploadId, { apiKey, service });
  const { status } = await ended(uploadId, { apiKey, service });
  if (status !== 'published') throw new Error(`${name} was not published`);
  return url;
}

/** Each in a browser of its own, so that nothing is kept in memory. */
async function openTimes(url: string, file: HeavyFile, count: number, slowness: number) {
  const samples: PageFigures[] = [];
  for (let at = 0; at < count; at += 1) {
    const browser = await launch();
    try {
      samples.push(await measurePage(browser, url, { ...file, slowness }));
    } finally {
      await browser.close();
    }
  }
  return samples;
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    chromiumSandbox: false,
    args: ['--disable-gpu', '--enable-unsafe-swiftshader', '--disable-background-networking'],
  });
}

function row(title: string, samples: readonly PageFigures[]): string {
  const median = (figure: keyof PageFigures) => {
    const values = samples.map((sample) => sample[figure]).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? Number.NaN;
  };
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const cells = [
    seconds(median('contentMs')),
    seconds(median('lastLongTaskMs')),
    `${median('longestTaskMs').toFixed(0)} ms`,
    `${(median('scriptBytes') / 1000).toFixed(0)} kB`,
    `${(median('heapBytes') / 1e6).toFixed(1)} MB`,
  ];
  return `| ${[title, ...cells].join(' | ')} |`;
}

await main();
