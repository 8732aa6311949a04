import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations } from '../../../contract/operations.ts';
import { domainCosts } from '../../fixtures/domains/domain-costs.ts';
import { type Cost, CostBench } from '../../fixtures/visits/cost-bench.ts';
import { operationCosts } from '../../fixtures/visits/operation-costs.ts';
import { background } from '../../fixtures/visits/background-costs.ts';
import { type Counted, pricePerMillion } from '../../fixtures/visits/price-of.ts';
import { visits } from '../../fixtures/visits/visit-costs.ts';

const document = 'docs/cost.md';
const bench = new CostBench();
beforeAll(() => bench.open(), 300_000);
afterAll(() => bench.cloud.remove());

const intro = `# What each request costs

The calls of DynamoDB, S3, SQS and CloudFront that one request causes, and the functions that run for it. The local cloud counts them while \`test/integration/visits/cost-table.test.ts\` sends the request. The test compares the result with this file, so no request becomes more expensive unnoticed. After an intended change, \`npm run cost\` rewrites the first three tables, and \`UPDATE_COST=1 npm run test:unit -- view-price example-months\` the two of page views and months. The rest is written by hand.

The last column is what a million such requests cost in US dollars, at the list prices in [prices.json](prices.json), which has their date and sources. It contains CloudFront's requests and functions, API Gateway, Lambda's requests and time, DynamoDB's capacity units (the engine tells them for each call), S3, SQS and SES. ACM and the control plane of CloudFront cost nothing. It does not contain free tiers, data transfer, logs and conditions that failed. Lambda's time is the function's processor time at its share of a core, measured once, and an assumed wait for each call.

A call has its count if that is not 1. A transaction is listed once for each table that it writes; each of its rows is billed as two writes. Reads are strongly consistent, except reads of an index and the gate's read of a site for an open, which costs half. \`hitCounter\` counts a visit together with up to 499 others. Here the visit is alone, and its row contains the counter's calls; [below](#a-page-view-and-its-open) it is not. A change of a site whose assets the edge keeps causes two invalidations more than its row has, $10,000 a million ([0141](decisions/0141-when-the-edge-forgets.md)).
`;

const costs = { ...operationCosts, ...domainCosts };

/** From here on the document is written by hand. */
const byHandHeading = '## Beside the requests';

test('docs/cost.md has the cost of every request', async () => {
  const known = operations.map(({ id }) => id);
  expect(Object.keys(costs).toSorted()).toEqual(known.toSorted());
  const rest = operations.flatMap(({ id, method, path }) =>
    (costs[id] ?? []).map((cost) => ({
      ...cost,
      name: `\`${method} ${path}\`${cost.name === '' ? '' : `, ${cost.name}`}`,
    })),
  );
  // Before there are domains, of which some would be due.
  const everyMinute = await section('Every minute', background);
  const sections = [
    intro,
    await section('Operations', rest),
    await section('Visits', visits),
    everyMinute,
  ];
  const table = sections.join('\n');
  const written = readFileSync(document, 'utf8');
  const byHand = written.slice(Math.max(0, written.indexOf(byHandHeading)));
  if (process.env['UPDATE_COST'] === '1') writeFileSync(document, `${table}\n${byHand}`);
  expect(`${table}\n${byHand}`).toBe(readFileSync(document, 'utf8'));
}, 500_000);

async function section(title: string, costs: readonly Cost[]): Promise<string> {
  const rows: string[] = [];
  for (const cost of costs) rows.push(row(cost.name, await bench.count(cost)));
  const head =
    '| | DynamoDB | S3 | SQS | CloudFront, ACM | Functions | $ a million |\n|---|---|---|---|---|---|---|';
  return `## ${title}\n\n${head}\n${rows.join('\n')}\n`;
}

function row(name: string, counted: Counted): string {
  const cells: Record<string, string[]> = {
    DynamoDB: [],
    S3: [],
    SQS: [],
    'CloudFront, ACM': [],
    Functions: [],
  };
  for (const [call, count] of Object.entries(counted.calls).toSorted(byName)) {
    const words = `\`${call.replace('s3:', '')}\`${count === 1 ? '' : ` × ${count}`}`;
    cells[serviceOf(call)]?.push(words);
  }
  const columns = Object.values(cells).map((words) => words.join(', ') || '–');
  return `| ${name} | ${columns.join(' | ')} | ${pricePerMillion(counted).toFixed(2)} |`;
}

const byName = ([a]: [string, number], [b]: [string, number]) => (a < b ? -1 : 1);

/** `GetItem sites`, `s3:GetObject`, `SendMessage hitsQueue`, `CreateInvalidationForDistributionTenant`, `gate`. */
function serviceOf(call: string): string {
  if (call.startsWith('s3:')) return 'S3';
  if (call.startsWith('SendMessage')) return 'SQS';
  if (call.includes(' ')) return 'DynamoDB';
  // Our functions begin with a small letter, operations of AWS do not.
  return /^[A-Z]/.test(call) ? 'CloudFront, ACM' : 'Functions';
}
