import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { instant } from '../../instants.ts';
import type { AccountHistory } from '../history/account-history.ts';
import { type ChangeProjectDeps, changeProject } from '../settings/change-project.ts';
import { deploymentOf } from './deployment.ts';
import { holdHistory, type HoldHistoryDeps } from '../history/hold-history.ts';
import type { Project, Version } from '../project.ts';
import { historyAfterSwitch } from '../history/project-history.ts';

/** What switching between versions needs. */
export interface RollBackDeps extends ChangeProjectDeps {
  projects: HoldHistoryDeps['projects'] & ChangeProjectDeps['projects'];
  history: AccountHistory;
  addresses: { siteUrl(host: string): string };
}

/**
 * Makes a kept version the live one, whole and at once; no version is added by it. The one that was
 * live may be so large that the account's oldest earlier versions leave for it.
 * @throws CodedError NOT_FOUND, STORAGE_LIMIT_REACHED, UPLOAD_INCOMPLETE
 */
export async function rollBack(
  deps: RollBackDeps,
  caller: AccountCaller,
  input: { projectId: string; version: number },
) {
  const { version } = input;
  let before: Project | undefined;
  const project = await changeProject(deps, caller, input.projectId, async (met) => {
    before = undefined;
    if (met.project.version === version) return undefined;
    const kept = await deps.projects.version(met.project.id, version);
    if (kept === undefined) throw versionNotFound(version);
    const { type, bytes, fileCount } = kept;
    const publishedAt = instant(met.now);
    before = met.project;
    const history = historyAfterSwitch(met.project.history, met.live, kept);
    return { fields: { version, type, bytes, fileCount, publishedAt, history }, live: kept };
  });
  if (before !== undefined) {
    await holdHistory(deps, caller.account.id, { before, after: project });
  }
  return { ...deploymentOf(version), url: deps.addresses.siteUrl(project.host) };
}

/** A version that never was, or that left the history. */
export function versionNotFound(version: number | string): CodedError {
  return new CodedError('NOT_FOUND', {
    error: `This project has no version ${version}.`,
    nextStep: 'GET /v1/projects/{projectId}/status lists the versions that are kept.',
  });
}

/** A version number as a path gives it; what is no number names no version. */
export function versionNumber({ version }: { version: string }): Version['version'] {
  if (!/^[1-9]\d{0,8}$/.test(version)) throw versionNotFound(version.slice(0, 20));
  return Number(version);
}
