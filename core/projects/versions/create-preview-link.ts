import { daySeconds } from '../../../contract/limits.ts';
import type { PreviewLinkLife } from '../../../contract/operations/versions.ts';
import type { AccountCaller } from '../../caller.ts';
import { epochSeconds, instant } from '../../instants.ts';
import type { ProjectStore } from '../../ports.ts';
import { previewToken } from '../../visit/access/preview.ts';
import { requireOwnedProject } from '../owned-projects.ts';
import { parseVersionNumber, versionNotFound } from './deployment.ts';
import { cappedExpiry, requireViewable } from '../addresses/create-owner-link.ts';
import { previewHost } from '../addresses/preview-host.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** The dependencies for making preview links. */
export interface PreviewVersionDeps {
  projects: Pick<ProjectStore, 'get' | 'getVersion'>;
  addresses: { siteUrl(host: string): string };
  accessSecret: RotatingSecret;
  now(): Date;
}

/** Seconds that a preview link works. */
const lifeSeconds: Readonly<Record<PreviewLinkLife, number>> = {
  '1h': 3600,
  '7d': 7 * daySeconds,
  'next-version': 30 * daySeconds,
};

/**
 * A link that shows one kept version for an hour, a week, or until another version is live (30 days at
 * most), never after the project's expiry, at the project's address and at the version's own. Its visitors
 * must still be allowed to view the project.
 * @throws CodedError NOT_FOUND, UPLOAD_INCOMPLETE
 */
export async function previewVersion(
  deps: PreviewVersionDeps,
  caller: AccountCaller,
  input: { projectId: string; version: string; expiresIn?: PreviewLinkLife | undefined },
) {
  const version = parseVersionNumber(input);
  const project = await requireOwnedProject(deps.projects, caller, input.projectId);
  const now = deps.now();
  requireViewable(project, now);
  if ((await deps.projects.getVersion(project.id, version)) === undefined) {
    throw versionNotFound(version);
  }
  const { expiresIn = '1h' } = input;
  const expires = epochSeconds(cappedExpiry(project, now, lifeSeconds[expiresIn]));
  const token = previewToken(deps.accessSecret, {
    projectId: project.id,
    version,
    ...(expiresIn === 'next-version' && { liveSince: Date.parse(project.publishedAt) }),
    expires,
  });
  const linkAt = (host: string) => `${deps.addresses.siteUrl(host)}/_slipway/preview/${token}`;
  const ownHost = previewHost({ host: project.host, shows: version });
  return {
    url: linkAt(project.host),
    versionHostUrl: ownHost === undefined ? null : linkAt(ownHost),
    expiresAt: instant(new Date(expires * 1000)),
  };
}
