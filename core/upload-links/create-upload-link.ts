import { inlineUploadBytes } from '../../contract/operations/upload-links.ts';
import type { Plans } from '../accounts/account.ts';
import { requirePaid } from '../accounts/require-paid.ts';
import type { AccountCaller } from '../caller.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { ProjectStore } from '../ports.ts';
import type { Addresses } from '../projects/addresses/addresses.ts';
import { hashToken } from '../projects/claims/claim-token.ts';
import { ownedProject } from '../projects/owned-project.ts';
import { limitsOf } from '../projects/quota.ts';
import { uploadLimits } from '../projects/publishing/upload-limits.ts';
import type { UploadLinkStore } from './ports.ts';
import { linkSeconds, newLinkToken, newUploadLinkId } from './upload-link.ts';

/** What making upload links needs. */
export interface CreateUploadLinkDeps {
  links: Pick<UploadLinkStore, 'create'>;
  projects: Pick<ProjectStore, 'get'>;
  addresses: Pick<Addresses, 'uploadUrl' | 'uploadPageUrl'>;
  plans: Plans;
  now(): Date;
}

/**
 * Makes a link by which anybody who has it may publish once, in the caller's name.
 * @throws CodedError FREE_TIER_RESTRICTED, NOT_FOUND
 */
export async function createUploadLink(
  deps: CreateUploadLinkDeps,
  caller: AccountCaller,
  { title, projectId }: { title?: string | undefined; projectId?: string | undefined },
) {
  const now = deps.now();
  const { account } = caller;
  if (projectId !== undefined) requirePaid(account, now);
  const project =
    projectId === undefined ? null : await ownedProject(deps.projects, caller, projectId);
  const token = newLinkToken();
  const expiresAt = instant(plusSeconds(now, linkSeconds));
  await deps.links.create(hashToken(token), {
    id: newUploadLinkId(now),
    accountId: account.id,
    madeWith: caller.credential ?? null,
    title: title ?? null,
    projectId: project?.id ?? null,
    createdAt: instant(now),
    expiresAt,
    state: 'waiting',
    uploadId: null,
  });
  const { maxBytes } = uploadLimits(limitsOf(deps.plans, account, now));
  const uploadUrl = deps.addresses.uploadUrl(token);
  return {
    uploadUrl,
    pageUrl: deps.addresses.uploadPageUrl(token),
    expiresAt,
    maxBytes: Math.min(inlineUploadBytes, maxBytes),
    curl: `curl -X PUT -F files=@FILE '${uploadUrl}'`,
  };
}
