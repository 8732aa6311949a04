import type { AccountCaller } from '../../caller.ts';
import { newStoreId } from '../../content/content-keys.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { handOut, type JobQueue, jobSeconds, needsWorker } from '../../uploads/job.ts';
import type { OpenUploadDeps } from '../../uploads/open-upload.ts';
import type { LargeUpload } from '../../uploads/upload.ts';
import { type AnyUpload, withUpload } from '../../uploads/with-upload.ts';
import { changeProject } from '../settings/change-project.ts';
import { deploymentOf } from './deployment.ts';
import { failingAsUpload } from '../publishing/failing-as-upload.ts';
import { ownedProject } from '../owned-project.ts';
import type { Project } from '../project.ts';
import { checkExpected, type PushDeps, type Pushed, pushVersion } from './push-version.ts';
import { chargeOf, checkCharge, limitsOf } from '../quota.ts';
import { uploadLimits } from '../publishing/upload-limits.ts';

/** What replacing files needs. */
export interface ReplaceFilesDeps extends PushDeps, OpenUploadDeps {
  jobs: JobQueue;
  addresses: { siteUrl(host: string): string };
}

/** New content for a project. */
export interface Replacement extends AnyUpload {
  projectId: string;
  /** The live version that the caller means to replace. */
  expectedVersion?: number | undefined;
}

/**
 * Publishes an upload as a new version of the caller's project, in one step for visitors. Content
 * that is live already makes no new version.
 * @throws CodedError those of prepareUpload and changeProject; VERSION_CONFLICT; UPLOAD_FAILED when storing fails
 */
export async function replaceFiles(
  deps: ReplaceFilesDeps,
  caller: AccountCaller,
  input: Replacement,
) {
  const found = await ownedProject(deps.projects, caller, input.projectId);
  checkExpected(found, input.expectedVersion);
  const limits = limitsOf(deps.plans, caller.account, deps.now());
  const pushed = await withUpload(
    deps,
    caller,
    { input, limits: uploadLimits(limits) },
    async ({ upload, large }) => {
      if (large !== undefined && needsWorker(upload)) {
        checkCharge(chargeOf(found, { ...found, bytes: upload.bytes }, limits), caller.account);
        const { host, lastVersion } = await accept(deps, caller, { input, large });
        const { type, fileCount, bytes } = upload;
        const project = { ...found, host, version: lastVersion, type, fileCount, bytes };
        return { result: { project, told: {} }, publishedAs: undefined };
      }
      const push = { project: found, upload, expectedVersion: input.expectedVersion };
      const pushed = await failingAsUpload(caller, () => pushVersion(deps, caller, push));
      return { result: pushed, publishedAs: pushed.project.id };
    },
  );
  return viewPushed(deps, pushed);
}

/** A pushed version with what a caller may check it by; the live one where nothing was new. */
export function viewPushed(
  { addresses }: Pick<ReplaceFilesDeps, 'addresses'>,
  { project, told }: Pushed,
) {
  const { id: projectId, host, version, type, fileCount, bytes, expiresAt } = project;
  const url = addresses.siteUrl(host);
  const facts = { projectId, url, version, type, fileCount, bytes, expiresAt };
  return { ...deploymentOf(version), ...facts, ...told };
}

/** The version has its number at once, and goes live when a worker has stored it. */
async function accept(
  deps: ReplaceFilesDeps,
  caller: AccountCaller,
  { input, large }: { input: Replacement; large: LargeUpload },
): Promise<Project> {
  const { requestId, account } = caller;
  const { expectedVersion, zipIndexHtmlPath, asFileBundle } = input;
  const { uploadId } = large;
  const store = newStoreId();
  const project = await changeProject(deps, caller, input.projectId, ({ project, live, now }) => {
    checkExpected(project, expectedVersion);
    const number = project.lastVersion + 1;
    const job = { kind: 'push', uploadId, accountId: account.id, number, requestId } as const;
    const begins = {
      projectId: project.id,
      store,
      startedAt: instant(now),
      sweepAt: instant(plusSeconds(now, jobSeconds)),
      job: { ...job, expectedVersion, zipIndexHtmlPath, asFileBundle },
    };
    return { fields: { lastVersion: number }, live, begins };
  });
  await handOut(deps, { projectId: project.id, store });
  return project;
}
