import type { ReportOutcome } from '../../contract/abuse-report.ts';
import type { OperatedReport } from '../../contract/operations/operators.ts';
import type { AbuseReport } from '../abuse/report-abuse.ts';
import type { SessionCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import type { Project } from '../projects/project.ts';
import {
  act,
  describeProject,
  type OperateDeps,
  suspendAccount,
  takeDownProject,
} from './operate.ts';
import { requireOperator } from './operator.ts';

/**
 * The newest reports, each with the present state of its project.
 * @throws CodedError NOT_FOUND
 */
export async function listReports(
  deps: OperateDeps,
  caller: SessionCaller,
  { state, limit }: { state: 'open' | 'resolved'; limit: number },
) {
  requireOperator(deps.operators, caller);
  const found = await deps.reports.latest(limit, deps.now(), state);
  const projects = await byId(
    found,
    ({ projectId }) => projectId,
    (id) => deps.projects.get(id),
  );
  const ownerIds = [...projects.values()].flatMap(({ ownerId }) => ownerId ?? []);
  const owners = await byId(
    ownerIds,
    (id) => id,
    (id) => deps.accounts.get(id),
  );
  return {
    reports: found.map((report) => {
      const project = projects.get(report.projectId);
      const owner = project?.ownerId ? owners.get(project.ownerId) : undefined;
      return describeReport(deps, report, { project, ownerEmail: owner?.email ?? null });
    }),
  };
}

/** Reads each thing that `items` name once. */
async function byId<Item, Id, Found>(
  items: readonly Item[],
  idOf: (item: Item) => Id,
  read: (id: Id) => Promise<Found | undefined>,
): Promise<Map<Id, Found>> {
  const ids = [...new Set(items.map(idOf))];
  const answers = await Promise.all(ids.map(async (id) => [id, await read(id)] as const));
  return new Map(answers.flatMap(([id, found]) => (found === undefined ? [] : [[id, found]])));
}

function describeReport(
  deps: OperateDeps,
  { id, at, host, reason, message, email, url, resolution }: AbuseReport,
  { project, ownerEmail }: { project: Project | undefined; ownerEmail: string | null },
): OperatedReport {
  const isGone = project === undefined || project.removingAt !== null;
  return {
    id,
    at,
    host,
    reason,
    message,
    email: email ?? null,
    url: url ?? null,
    project: isGone ? null : { ...describeProject(deps, project), ownerEmail },
    resolution: resolution
      ? { outcome: resolution.outcome, reason: resolution.reason, at: resolution.at }
      : null,
  };
}

/** How many of the open reports are searched: more have to wait until newer ones are resolved. */
const searchedReports = 1000;

/**
 * Does what an operator decided about an open report, and then resolves it. A takedown or a suspension resolves
 * the other open reports of the project too. An interrupted one can be repeated.
 * @throws CodedError NOT_FOUND, INVALID_REQUEST, UNAVAILABLE
 */
export async function resolveReport(
  deps: OperateDeps,
  caller: SessionCaller,
  { reportId, outcome, reason }: { reportId: string; outcome: ReportOutcome; reason: string },
) {
  const resolved = await act(deps, caller, { action: outcome, target: reportId }, async () => {
    const open = await deps.reports.latest(searchedReports, deps.now(), 'open');
    const report = open.find(({ id }) => id === reportId);
    if (report === undefined) throw reportNotFound();
    await decide[outcome](deps, caller, { report, reason });
    const isMeant = ({ id, projectId }: AbuseReport) =>
      outcome === 'nothing-wrong' ? id === report.id : projectId === report.projectId;
    const resolution = { outcome, reason, at: instant(deps.now()), operatorId: caller.account.id };
    return Promise.all(open.filter(isMeant).map((one) => deps.reports.resolve(one, resolution)));
  });
  return { resolved: resolved.filter(Boolean).length };
}

type Decide = (
  deps: OperateDeps,
  caller: SessionCaller,
  decision: { report: AbuseReport; reason: string },
) => Promise<unknown>;

const decide: Record<ReportOutcome, Decide> = {
  'nothing-wrong': async () => undefined,
  'taken-down': (deps, caller, { report, reason }) =>
    takeDownProject(deps, caller, { target: report.projectId, reason }),
  async suspended(deps, caller, { report, reason }) {
    const project = await deps.projects.get(report.projectId);
    if (!project?.ownerId) throw ownerNotFound();
    return suspendAccount(deps, caller, { accountId: project.ownerId, reason });
  },
};

function reportNotFound(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'This report was resolved or does not exist.' });
}

function ownerNotFound(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'No account owns this project.' });
}
