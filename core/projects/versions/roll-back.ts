import type { AccountCaller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { instant } from '../../instants.ts';
import { countPublication } from '../../limits/count-publication.ts';
import type { RequestLimitDeps } from '../../limits/counters.ts';
import type { AccountHistory } from '../history/account-history.ts';
import type { ContentStore } from '../../ports.ts';
import {
  changeProject,
  type ChangeProjectDeps,
  type ProjectSnapshot,
} from '../change/change-project.ts';
import { deploymentIdField } from './deployment.ts';
import { enforceHistoryLimit, type HistoryLimitDeps } from '../history/history-limit.ts';
import type { Project, Version } from '../project.ts';
import { loadReadableVersionFiles } from './kept-versions.ts';
import { type AssetRetention, assetRetention } from './retain-assets.ts';
import { checkExpectedVersion } from './push-version.ts';
import { historyAfterSwitch } from '../history/project-history.ts';
import { versionNotFound } from './deployment.ts';

/** The dependencies for switching between versions. */
export interface RollBackDeps extends ChangeProjectDeps, RequestLimitDeps {
  projects: HistoryLimitDeps['projects'] & ChangeProjectDeps['projects'];
  history: AccountHistory;
  content: Pick<ContentStore, 'get' | 'put' | 'deleteKeys'>;
  addresses: { siteUrl(host: string): string };
}

/**
 * Makes a kept version the live one in one step; it adds no version. If the version that was live
 * is large, the account's oldest earlier versions may be pruned for it. A version that is live already
 * stays so, whatever was expected: the call may be repeated.
 * @throws CodedError NOT_FOUND, VERSION_CONFLICT, STORAGE_LIMIT_REACHED, UPLOAD_INCOMPLETE
 */
export async function rollBackProject(
  deps: RollBackDeps,
  caller: AccountCaller,
  input: { projectId: string; version: number; expectedVersion?: number | undefined },
) {
  await countPublication(deps, caller);
  const { version } = input;
  let before: Project | undefined;
  const retention = assetRetention(deps.content);
  const project = await changeProject(deps, caller, input.projectId, async (snapshot) => {
    before = undefined;
    // A retry: the change for which an earlier list was stored was not written.
    await retention.withdraw();
    if (snapshot.project.version === version) return undefined;
    checkExpectedVersion(snapshot.project, input.expectedVersion);
    const kept = await deps.projects.getVersion(snapshot.project.id, version);
    if (kept === undefined) throw versionNotFound(version);
    const { type, bytes, fileCount } = kept;
    const publishedAt = instant(snapshot.now);
    before = snapshot.project;
    const history = historyAfterSwitch(snapshot.project.history, snapshot.live, kept);
    const retained = await retainAfterSwitch(deps, retention, snapshot, kept);
    const fields = { version, type, bytes, fileCount, publishedAt, history, ...retained };
    return { fields, live: kept };
  }).catch(async (error: unknown) => {
    // After any other error the change may be written.
    if (error instanceof CodedError) await retention.withdraw();
    throw error;
  });
  if (before !== undefined) {
    await enforceHistoryLimit(deps, caller.account.id, { before, after: project });
  }
  return { ...deploymentIdField(version), url: deps.addresses.siteUrl(project.host) };
}

async function retainAfterSwitch(
  { content }: Pick<RollBackDeps, 'content'>,
  retention: AssetRetention,
  { project, live, now }: ProjectSnapshot,
  kept: Version,
): Promise<Pick<Project, 'retained' | 'retainedLists'>> {
  const [leaving] = await loadReadableVersionFiles(content, project.id, [live]);
  const [next] = await loadReadableVersionFiles(content, project.id, [kept]);
  if (next === undefined) return { retained: undefined };
  return retention.retain({ ...project, liveStore: live.store }, { leaving, next }, now);
}
