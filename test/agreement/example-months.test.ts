import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const document = 'docs/cost.md';
const { units, prices } = JSON.parse(readFileSync('docs/prices.json', 'utf8'));
const priceOf = (name: string): number => units[name].price;

/** What one month has. */
interface Month {
  views: number;
  projects: number;
}
const months: readonly Month[] = [
  { views: 1000, projects: 10 },
  { views: 100_000, projects: 1000 },
  { views: 10_000_000, projects: 1_000_000 },
];

/** Of a page view. */
const view = { heldAssets: 4, newAssets: 0.1, opens: 0.7, kilobytes: 200 };
/** Of a project with assets that the edge keeps: a push invalidates at once and a minute later (decision 0141). */
const project = { megabytes: 5, rowKilobytes: 4, pushesPerMonth: 0.2, invalidationsPerPush: 2 };
/** A file that storage sends. */
const largeFile = { megabytes: 190, downloads: 1000 };
const secrets = 1;
/** Lambda asks each queue for messages with five connections, each of which waits 20 seconds; empty answers are billed. */
const receives = { queues: 2, perMinute: 5 * 3 };
const minutes = 30.4 * 24 * 60;

/** Dollars of a million such requests, from the tables of the same document. */
function perMillion(name: string): number {
  const line = readFileSync(document, 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`| ${name} |`));
  if (line === undefined) throw new Error(`docs/cost.md has no row ${name}`);
  return Number(line.split('|').at(-2));
}

/** Each has one metric (`test/infra/operation.test.ts`), and CloudWatch bills each metric of an alarm. */
function countAlarms(): number {
  const snapshot = readFileSync('test/infra/__snapshots__/snapshot.test.ts.snap', 'utf8');
  // The snapshot has the data stack too, and what other settings change.
  const [, ofStack = ''] = snapshot.split(
    '`templates with every setting are as reviewed: service 1`',
  );
  const [template = ''] = ofStack.split('\nexports[');
  return template.split('"Type": "AWS::CloudWatch::Alarm"').length - 1;
}

function costOf({ views, projects }: Month) {
  const viewPrice =
    perMillion('A page that the edge holds and asks about') +
    view.heldAssets * perMillion('An asset that the edge holds') +
    view.newAssets * perMillion('An asset, for the first time') +
    view.opens * perMillion('A page that became visible (an open)');
  const push =
    perMillion('`PUT /v1/projects/{projectId}`, one of three files changed') +
    project.invalidationsPerPush * prices['CloudFront invalidation paths'].perMillion;
  const visits = (views * viewPrice) / 1e6;
  const pushes = (projects * project.pushesPerMonth * push) / 1e6;
  const transfer = ((views * view.kilobytes) / 1e6) * priceOf('CloudFront, GB to visitors');
  const storage =
    ((projects * project.megabytes) / 1e3) * priceOf('S3, GB a month') +
    ((projects * project.rowKilobytes) / 1e6) * priceOf('DynamoDB, GB a month');
  const fixed =
    secrets * priceOf('Secret, a month') +
    countAlarms() * priceOf('Alarm, a month') +
    (minutes * perMillion('Nothing is due')) / 1e6 +
    (minutes * receives.queues * receives.perMinute * prices['SQS requests'].perMillion) / 1e6;
  return [visits, pushes, transfer, storage, fixed];
}

function largeFilePrice(): string {
  const { megabytes, downloads } = largeFile;
  const transfer = ((megabytes * downloads) / 1e3) * priceOf('CloudFront, GB to visitors');
  const redirect = perMillion('A file over 4 MB: the redirect to its address');
  const requests = (downloads * (redirect + perMillion('A file over 4 MB: the file'))) / 1e6;
  return `A large file costs its transfer: ${downloads.toLocaleString('en')} downloads of ${megabytes} MB are $${transfer.toFixed(2)}, and their requests $${requests.toFixed(2)}. Each range that a player asks for is a request like that of the file, at the same price; of the bytes, only those that are sent.`;
}

function section(): string {
  const rows = months.map((month) => {
    const costs = costOf(month);
    const total = costs.reduce((sum, one) => sum + one, 0);
    const cells = [...costs, total].map((one) => one.toFixed(2));
    return `| ${month.views.toLocaleString('en')} | ${month.projects.toLocaleString('en')} | ${cells.join(' | ')} |`;
  });
  return [
    '## Three months',
    '',
    `In US dollars at list prices, without any free tier: AWS gives 1 TB of transfer, 10 million requests of CloudFront, a million calls of Lambda and SQS, ten alarms and 1,000 invalidation paths a month for nothing, so that the first two months cost less. A page view comes alone, with ${view.heldAssets} files that the edge holds and ${view.newAssets} that it does not; it has ${view.kilobytes} kB, and ${view.opens} of them become an open. A project has ${project.megabytes} MB and ${project.pushesPerMonth} pushes a month; a push invalidates ${project.invalidationsPerPush} paths, which is nearly all that it costs (a site of one page and a custom domain invalidate none). "Always" is ${secrets} secret, ${countAlarms()} alarms, the schedule, and Lambda's questions to ${receives.queues} queues for messages. Of these, AWS gives a million questions and ten alarms for nothing. \`test/agreement/example-months.test.ts\` calculates the table.`,
    '',
    '| Page views | Projects | Visits | Pushes | Transfer | Storage | Always | Together |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    largeFilePrice(),
    '',
    '',
  ].join('\n');
}

const idle = costOf({ views: 0, projects: 1000 });
const alarmsPrice = countAlarms() * priceOf('Alarm, a month');

test('an idle installation with 1,000 projects costs at most two dollars a month, without alarms', () => {
  const [visits, , transfer, storage, fixed] = idle;
  expect([visits, transfer]).toEqual([0, 0]);
  expect((storage ?? 0) + (fixed ?? 0) - alarmsPrice).toBeLessThanOrEqual(2);
});

test('the alarms, which exist only with a recipient, cost at most a dollar and a half', () => {
  expect(alarmsPrice).toBeGreaterThan(0);
  expect(alarmsPrice).toBeLessThanOrEqual(1.5);
});

test('docs/cost.md has what three months cost', () => {
  const written = readFileSync(document, 'utf8');
  const start = written.indexOf('## Three months\n');
  const end = written.indexOf('\n## ', start) + 1;
  if (process.env['UPDATE_COST'] === '1') {
    writeFileSync(document, written.slice(0, start) + section() + written.slice(end));
    return;
  }
  expect(written.slice(start, end)).toBe(section());
});
