import { toBuffer, toString } from 'qrcode';
import { ProjectId } from '../../../contract/fields.ts';
import { type Account, effectiveTier } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import { CodedError } from '../../errors.ts';
import type { ProjectStore, SiteDirectory } from '../../ports.ts';
import { type Decision, refuseVisit } from '../../visit/decide-visit.ts';
import type { ServingRecord } from '../../visit/serving-record.ts';
import type { Addresses } from './addresses.ts';

/** What drawing a project's address needs. */
export interface QrCodeDeps {
  projects: Pick<ProjectStore, 'get'>;
  sites: SiteDirectory;
  accounts: Pick<AccountStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  now(): Date;
}

/** Four modules of white around it, without which scanners fail (ISO/IEC 18004 §9.1). */
const drawing = { margin: 4, errorCorrectionLevel: 'M' } as const;

/**
 * The public address of a project as a picture, `<projectId>.png` or `<projectId>.svg`. The code
 * holds nothing but the address, so a project that asks for a password has one as well. What visitors
 * find nothing at has none: the picture would tell its address.
 * @throws CodedError NOT_FOUND, FREE_TIER_RESTRICTED by the plan of the project's owner
 */
export async function qrCode(deps: QrCodeDeps, input: { file: string; size: number }) {
  const [, id, kind] = /^([^.]+)\.(png|svg)$/.exec(input.file) ?? [];
  const { site, owner } = await published(deps, id);
  if (effectiveTier(owner, deps.now()) === 'free') {
    throw new CodedError('FREE_TIER_RESTRICTED', {
      error: 'QR codes are part of the paid plans.',
      requiredTier: 'starter',
    });
  }
  const url = deps.addresses.siteUrl(site.host);
  return kind === 'svg'
    ? { kind, content: await toString(url, { ...drawing, type: 'svg' }) }
    : { kind: 'png' as const, content: await toBuffer(url, { ...drawing, width: input.size }) };
}

async function published(
  deps: QrCodeDeps,
  id: string | undefined,
): Promise<{ site: ServingRecord; owner: Account }> {
  const projectId = ProjectId.safeParse(id).data;
  const project = projectId === undefined ? undefined : await deps.projects.get(projectId);
  if (project === undefined || project.ownerId === null) throw none();
  const site = await deps.sites.get(project.host);
  // The same rule that answers visitors, so that there is no second list of reasons.
  const refusal = refuseVisit(site, 'nobody', deps.now());
  if (site === undefined || site.projectId !== projectId) throw none();
  if (!isAddressKnown(refusal)) throw none();
  const owner = await deps.accounts.get(project.ownerId);
  if (owner === undefined) throw none();
  return { site, owner };
}

/** Whether a visitor finds a project at the address: one that asks who they are, or rests, is there. */
function isAddressKnown(refusal: Decision | undefined): boolean {
  return refusal === undefined || refusal.kind === 'locked' || refusal.kind === 'resting';
}

function none(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'There is no QR code at this address.' });
}
