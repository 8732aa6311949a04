import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Instant, ProjectId } from '../../contract/fields.ts';
import { abuseReportKeptDays, daySeconds } from '../../contract/limits.ts';
import {
  AbuseReport,
  type AbuseReports,
  maxStoredReports,
  ReportedProject,
  type ReportResolution,
} from '../../core/abuse/abuse-reports.ts';
import { epochSeconds, plusSeconds } from '../../core/instants.ts';
import { ownerQuery } from './projects/owner-index.ts';
import { partitionRows, queryRows, readRow } from './read-rows.ts';
import { writeTransaction } from './transaction.ts';
import { put, update, updated, write } from './writes.ts';

/**
 * Abuse reports in the projects table, by project: a row that counts them and waits in the list of open ones, a row
 * for each of the first reports, and a row for each decision. They outlive the projects they are about.
 */
export function abuseReportTable(client: DynamoDBDocumentClient, table: string): AbuseReports {
  const findOpen = (projectId: ProjectId) => readOpen(client, table, projectId);
  return {
    async add(report) {
      const { received, handled } = await count(client, table, report);
      if (received - handled > maxStoredReports) return;
      const key = { pk: partition(report.projectId), sk: reportKey(received) };
      const Item = { ...report, number: received, ...key, ttl: endOf(report.at) };
      await write(client, put(table, Item));
    },
    async list({ state, limit, reports, after }) {
      const rows = await listed(client, table, { state, limit, after });
      // The index may still have a row that was resolved a moment ago, and its former count.
      const present = await Promise.all(
        rows.map(async (row) => (state === 'open' ? findOpen(row.projectId) : row)),
      );
      const found = present.filter((row) => row !== undefined);
      const projects = await Promise.all(
        found.map(async (row) => ({ ...row, reports: await latest(client, table, row, reports) })),
      );
      return { projects, next: rows.length < limit ? undefined : rows.at(-1)?.listedAt };
    },
    findOpen,
    resolve: (projectId, last, resolution) =>
      resolve(client, table, { projectId, last, resolution }),
  };
}

async function count(
  client: DynamoDBDocumentClient,
  table: string,
  { projectId, host, at }: Omit<AbuseReport, 'number'>,
): Promise<ReportedProject> {
  const counting = update(table, openKey(projectId), {
    set: { projectId, host, ownerState: lists.open, ttl: endOf(at) },
    setOnce: { handled: 0, openSince: at, listedAt: listedAt(at, projectId) },
    add: { received: 1 },
  });
  return ReportedProject.parse(await updated(client, counting));
}

async function listed(
  client: DynamoDBDocumentClient,
  table: string,
  { state, limit, after }: { state: keyof typeof lists; limit: number; after: string | undefined },
): Promise<(ReportedProject & { listedAt: string })[]> {
  const query = { list: lists[state], after, isNewestFirst: state === 'resolved' };
  const rows = await queryRows(client, ownerQuery(table, query), limit);
  return rows.map((row) => ({ ...ReportedProject.parse(row), listedAt: String(row['listedAt']) }));
}

async function readOpen(
  client: DynamoDBDocumentClient,
  table: string,
  projectId: ProjectId,
): Promise<ReportedProject | undefined> {
  const row = await readRow(client, table, openKey(projectId));
  return row?.['ownerState'] === undefined ? undefined : ReportedProject.parse(row);
}

/** The latest stored reports of those that wait together, or that one decision resolved. */
async function latest(
  client: DynamoDBDocumentClient,
  table: string,
  { projectId, handled, received }: ReportedProject,
  limit: number,
): Promise<AbuseReport[]> {
  const between = [reportKey(handled + 1), reportKey(received)] as const;
  const query = { pk: partition(projectId), between, isNewestFirst: true };
  const rows = await partitionRows(client, table, query, limit);
  return rows.map((row) => AbuseReport.parse(row));
}

interface Decision {
  projectId: ProjectId;
  last: number;
  resolution: ReportResolution;
}

async function resolve(
  client: DynamoDBDocumentClient,
  table: string,
  decision: Decision,
): Promise<number> {
  for (;;) {
    const open = await readOpen(client, table, decision.projectId);
    if (open === undefined || decision.last <= open.handled || decision.last > open.received)
      return 0;
    const unmet = await writeTransaction(client, decisionParts(table, open, decision));
    if (unmet.size === 0) return decision.last - open.handled;
    // Somebody else decided, or one more report came. After the latter, further ones do not matter.
  }
}

/** Resolves reports in the row of their project, which stays in the list if later reports are open, and stores the decision. */
function decisionParts(
  table: string,
  open: ReportedProject,
  { projectId, last, resolution }: Decision,
) {
  const { at } = resolution;
  const isAll = last === open.received;
  const waiting = { openSince: at, listedAt: listedAt(at, projectId) };
  const counted = update(table, openKey(projectId), {
    set: { handled: last, ttl: endOf(at), ...(!isAll && waiting) },
    remove: isAll ? ['ownerState', 'listedAt', 'openSince'] : [],
    when: `handled = :wasHandled AND received ${isAll ? '=' : '>'} :handled`,
    values: { wasHandled: open.handled },
  });
  const row = { ...open, received: last, resolution, ...decisionKey(projectId, last) };
  const list = { ownerState: lists.resolved, listedAt: listedAt(at, projectId) };
  const decision = put(table, { ...row, ...list, ttl: endOf(at) });
  return [['open', counted] as const, ['decision', decision] as const];
}

/** The lists of all projects, as partitions of the index of owners. */
const lists = { open: 'REPORTS#open', resolved: 'REPORTS#resolved' } as const;

const partition = (projectId: ProjectId) => `REPORTS#${projectId}`;
const openKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'OPEN' });
const reportKey = (number: number) => `REPORT#${padded(number)}`;
const decisionKey = (projectId: ProjectId, last: number) => ({
  pk: partition(projectId),
  sk: `DECISION#${padded(last)}`,
});
const padded = (number: number) => String(number).padStart(9, '0');
const listedAt = (at: Instant, projectId: ProjectId) => `${at}#${projectId}`;

function endOf(at: Instant): number {
  return epochSeconds(plusSeconds(new Date(at), abuseReportKeptDays * daySeconds));
}
