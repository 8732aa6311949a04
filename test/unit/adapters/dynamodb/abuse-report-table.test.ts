import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { abuseReportTable } from '../../../../adapters/dynamodb/abuse-report-table.ts';
import { ProjectId } from '../../../../contract/fields.ts';
import type { AbuseReport } from '../../../../core/abuse/report-abuse.ts';

const aReport = (at: string): AbuseReport => ({
  id: '11111111-1111-4111-8111-111111111111',
  at,
  projectId: ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11'),
  host: 'demo.sites.test',
  reason: 'phishing',
  message: 'x',
});

/** A table that gives one item a page, newest first, and notes what was asked and put. */
function aTable(items: AbuseReport[] = []) {
  const queriedKeys: string[] = [];
  const put: Record<string, unknown>[] = [];
  const send = async ({ input }: { input: any }) => {
    if (input.Item !== undefined) return void put.push(input.Item);
    const pk = input.ExpressionAttributeValues[':pk'];
    queriedKeys.push(pk);
    const month = items
      .filter(({ at }) => pk === `REPORT#${at.slice(0, 7)}`)
      .toSorted((a, b) => (a.at < b.at ? 1 : -1));
    const from = input.ExclusiveStartKey?.index ?? 0;
    const more = from + 1 < month.length ? { LastEvaluatedKey: { index: from + 1 } } : {};
    return { Items: month.slice(from, from + 1), ...more };
  };
  const client = { send } as unknown as DynamoDBDocumentClient;
  return { reports: abuseReportTable(client, 'projects'), queriedKeys, put };
}

const now = new Date('2026-03-31T12:00:00.000Z');
const instants = [
  '2025-10-15T00:00:00.000Z',
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-30T00:00:00.000Z',
];

describe('reports of abuse', () => {
  test('are stored by month, for 180 days, for all projects', async () => {
    const { reports, put } = aTable();
    const report = aReport('2026-03-30T00:00:00.000Z');
    await reports.add(report);
    expect(put).toEqual([
      {
        ...report,
        pk: 'REPORT#2026-03',
        sk: `${report.at}#${report.id}`,
        ttl: Date.parse('2026-09-26T00:00:00.000Z') / 1000,
      },
    ]);
  });

  test('are returned newest first, over all months with unexpired reports', async () => {
    const { reports, queriedKeys } = aTable(instants.map(aReport));
    const found = await reports.latest(20, now);
    expect(found.map(({ at }) => at)).toEqual(instants.toReversed());
    expect([...new Set(queriedKeys)]).toEqual([
      'REPORT#2026-04',
      'REPORT#2026-03',
      'REPORT#2026-02',
      'REPORT#2026-01',
      'REPORT#2025-12',
      'REPORT#2025-11',
      'REPORT#2025-10',
    ]);
  });

  test.each([1, 2, 3])(
    'are at most the requested %i, without reads of unneeded months',
    async (limit) => {
      const { reports, queriedKeys } = aTable(instants.map(aReport));
      const found = await reports.latest(limit, now);
      expect(found.map(({ at }) => at)).toEqual(instants.toReversed().slice(0, limit));
      expect(queriedKeys).not.toContain('REPORT#2026-01');
    },
  );
});
