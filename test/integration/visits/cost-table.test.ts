import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations } from '../../../contract/operations.ts';
import { type Cost, CostBench } from '../../fixtures/visits/cost-bench.ts';
import { background, operationCosts, visits } from '../../fixtures/visits/costs.ts';

const document = 'docs/cost.md';
const bench = new CostBench();
beforeAll(() => bench.open());
afterAll(() => bench.cloud.remove());

const intro = `# What each request costs

Calls that one request makes of DynamoDB, S3, SQS and CloudFront, and the functions that run for it, counted by the local cloud while \`test/integration/visits/cost-table.test.ts\` sends the request. The test compares this file with what it counted, so that no request grows more expensive unseen; after a change that is meant, \`npm run cost\` writes the file anew.

A call carries its count where that is not 1. A transaction stands once for each table that it touches; each of its rows is billed as two writes. Reads are strongly consistent but for those of an index. A visit to a page is counted by \`hitCounter\` together with up to 499 others; here it is alone, and the counter's calls stand in its row. What a unit costs is in the price lists of AWS for the region.
`;

test('docs/cost.md says what every request costs', async () => {
  const known = operations.map(({ id }) => id);
  expect(Object.keys(operationCosts).toSorted()).toEqual(known.toSorted());
  const rest = operations.flatMap(({ id, method, path }) =>
    (operationCosts[id] ?? []).map((cost) => ({
      ...cost,
      name: `\`${method} ${path}\`${cost.name === '' ? '' : `, ${cost.name}`}`,
    })),
  );
  const sections = [
    intro,
    await section('Operations', rest),
    await section('Visits', visits),
    await section('Every minute', background),
  ];
  const counted = sections.join('\n');
  if (process.env['UPDATE_COST'] === '1') writeFileSync(document, counted);
  expect(counted).toBe(readFileSync(document, 'utf8'));
}, 500_000);

async function section(title: string, costs: readonly Cost[]): Promise<string> {
  const rows: string[] = [];
  for (const cost of costs) rows.push(row(cost.name, await bench.count(cost)));
  const head = '| | DynamoDB | S3 | SQS | CloudFront | Functions |\n|---|---|---|---|---|---|';
  return `## ${title}\n\n${head}\n${rows.join('\n')}\n`;
}

function row(name: string, calls: Record<string, number>): string {
  const cells: Record<string, string[]> = {
    DynamoDB: [],
    S3: [],
    SQS: [],
    CloudFront: [],
    Functions: [],
  };
  for (const [call, count] of Object.entries(calls).toSorted(byName)) {
    const words = `\`${call.replace('s3:', '')}\`${count === 1 ? '' : ` × ${count}`}`;
    cells[serviceOf(call)]?.push(words);
  }
  const columns = Object.values(cells).map((words) => words.join(', ') || '–');
  return `| ${name} | ${columns.join(' | ')} |`;
}

const byName = ([a]: [string, number], [b]: [string, number]) => (a < b ? -1 : 1);

/** `GetItem sites`, `s3:GetObject`, `SendMessage hitsQueue`, `CreateInvalidationForDistributionTenant`, `gate`. */
function serviceOf(call: string): string {
  if (call.startsWith('s3:')) return 'S3';
  if (call.startsWith('SendMessage')) return 'SQS';
  if (call.includes(' ')) return 'DynamoDB';
  return call.startsWith('CreateInvalidation') ? 'CloudFront' : 'Functions';
}
