import type { AccountCaller } from '../../caller.ts';
import { epochSeconds, instant } from '../../instants.ts';
import type { ProjectStore } from '../../ports.ts';
import { previewToken } from '../../visit/access/preview-token.ts';
import { ownedProject } from '../owned-project.ts';
import { versionNotFound, versionNumber } from './roll-back.ts';
import { endOf, requireViewable } from '../addresses/view-link.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** What making preview links needs. */
export interface PreviewVersionDeps {
  projects: Pick<ProjectStore, 'get' | 'version'>;
  addresses: { siteUrl(host: string): string };
  accessSecret: RotatingSecret;
  now(): Date;
}

const previewSeconds = 3600;

/**
 * A link that shows one kept version for an hour, never past the project's end. Whoever opens it
 * must still be allowed to view the project.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function previewVersion(
  deps: PreviewVersionDeps,
  caller: AccountCaller,
  input: { projectId: string; version: string },
) {
  const version = versionNumber(input);
  const project = await ownedProject(deps.projects, caller, input.projectId);
  const now = deps.now();
  requireViewable(project, now);
  if ((await deps.projects.version(project.id, version)) === undefined) {
    throw versionNotFound(version);
  }
  const expires = epochSeconds(endOf(project, now, previewSeconds));
  const token = previewToken(deps.accessSecret, { projectId: project.id, version, expires });
  return {
    url: `${deps.addresses.siteUrl(project.host)}/_slipway/preview/${token}`,
    expiresAt: instant(new Date(expires * 1000)),
  };
}
