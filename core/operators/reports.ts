import type { ReportOutcome } from '../../contract/abuse-report.ts';
import { ProjectId } from '../../contract/fields.ts';
import type { OperatedReports } from '../../contract/operations/operators.ts';
import {
  type AbuseReport,
  type AbuseReports,
  maxStoredReports,
  type ReportedPage,
} from '../abuse/abuse-reports.ts';
import type { SessionCaller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant } from '../instants.ts';
import {
  act,
  describeProject,
  type OperateDeps,
  suspendAccount,
  takeDownProject,
} from './operate.ts';
import { requireOperator } from './operator.ts';

/** All that are stored: later ones must not hide the first. Ten projects with the longest texts still fit into a response. */
const shownReports = maxStoredReports;

/**
 * The projects with open reports, or the decisions, each with the present state of the project.
 * @throws CodedError NOT_FOUND
 */
export async function listReports(
  deps: OperateDeps,
  caller: SessionCaller,
  {
    state,
    limit,
    cursor,
  }: { state: 'open' | 'resolved'; limit: number; cursor?: string | undefined },
) {
  requireOperator(deps.operators, caller);
  const query = { state, limit, reports: shownReports, after: cursor };
  const { projects, next } = await deps.reports.list(query);
  return {
    projects: await Promise.all(projects.map((one) => describeReports(deps, one))),
    nextCursor: next ?? null,
  };
}

async function describeReports(
  deps: OperateDeps,
  reported: ReportedPage['projects'][number],
): Promise<OperatedReports> {
  const { projectId, host, openSince, received, handled, reports, resolution } = reported;
  const project = await deps.projects.get(projectId);
  const isGone = project === undefined || project.removingAt !== null;
  const owner = project?.ownerId ? await deps.accounts.get(project.ownerId) : undefined;
  const ownerEmail = owner?.email ?? null;
  return {
    projectId,
    host,
    since: openSince,
    count: received - handled,
    lastNumber: received,
    reports: reports.map((report) => describeReport(deps, report)),
    project: isGone ? null : { ...describeProject(deps, project), ownerEmail },
    resolution: resolution
      ? { outcome: resolution.outcome, reason: resolution.reason, at: resolution.at }
      : null,
  };
}

function describeReport(
  { addresses }: Pick<OperateDeps, 'addresses'>,
  { number, at, reason, message, email, url, host }: AbuseReport,
): OperatedReports['reports'][number] {
  return {
    number,
    at,
    reason,
    message,
    email: email ?? null,
    url: url ?? null,
    siteUrl: addresses.siteUrl(host),
  };
}

/**
 * Does what an operator decided about the open reports of a project, and then resolves those that the operator saw.
 * An interrupted one can be repeated.
 * @throws CodedError NOT_FOUND, INVALID_REQUEST, UNAVAILABLE
 */
export async function resolveReports(
  deps: OperateDeps,
  caller: SessionCaller,
  {
    projectId: target,
    lastNumber,
    outcome,
    reason,
  }: { projectId: string; lastNumber: number; outcome: ReportOutcome; reason: string },
) {
  return act(deps, caller, { action: outcome, target }, async () => {
    const projectId = await requireOpen(deps, target, lastNumber);
    await decide[outcome](deps, caller, { projectId, reason });
    const resolution = { outcome, reason, at: instant(deps.now()), operatorId: caller.account.id };
    return { resolved: await deps.reports.resolve(projectId, lastNumber, resolution) };
  });
}

async function requireOpen(
  deps: { reports: Pick<AbuseReports, 'findOpen'> },
  id: string,
  lastNumber: number,
): Promise<ProjectId> {
  const projectId = ProjectId.safeParse(id).data;
  const open = projectId === undefined ? undefined : await deps.reports.findOpen(projectId);
  if (open === undefined || lastNumber <= open.handled || lastNumber > open.received)
    throw new CodedError('NOT_FOUND', {
      error: 'These reports were resolved or do not exist.',
      nextStep: 'Read the list again.',
    });
  return open.projectId;
}

type Decide = (
  deps: OperateDeps,
  caller: SessionCaller,
  decision: { projectId: ProjectId; reason: string },
) => Promise<unknown>;

const decide: Record<ReportOutcome, Decide> = {
  'nothing-wrong': async () => undefined,
  'taken-down': (deps, caller, { projectId, reason }) =>
    takeDownProject(deps, caller, { target: projectId, reason }),
  async suspended(deps, caller, { projectId, reason }) {
    const project = await deps.projects.get(projectId);
    if (!project?.ownerId) throw ownerNotFound();
    return suspendAccount(deps, caller, { accountId: project.ownerId, reason });
  },
};

function ownerNotFound(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'No account owns this project.' });
}
