import { ProjectId } from '../../../contract/fields.ts';
import { type Account, effectiveTier } from '../../accounts/account.ts';
import type { AccountStore } from '../../accounts/ports.ts';
import { CodedError } from '../../errors.ts';
import type { ProjectStore, SiteDirectory } from '../../ports.ts';
import { type Decision } from '../../visit/decide-visit.ts';
import { refuseVisit } from '../../visit/refuse-visit.ts';
import type { ServingRecord } from '../../visit/serving-record.ts';
import type { Addresses } from './addresses.ts';
import { modulePng } from './module-png.ts';

/** Dependencies of {@link getQrCode}. */
export interface QrCodeDeps {
  projects: Pick<ProjectStore, 'get'>;
  sites: SiteDirectory;
  accounts: Pick<AccountStore, 'get'>;
  addresses: Pick<Addresses, 'siteUrl'>;
  now(): Date;
}

/**
 * The QR code of a project's address as `<projectId>.png` or `<projectId>.svg`. A project with a
 * password has one too: the code contains only the address. A project that visitors cannot find has
 * none: the code would reveal its address.
 * @throws CodedError NOT_FOUND, FREE_TIER_RESTRICTED by the plan of the project's owner
 */
export async function getQrCode(deps: QrCodeDeps, input: { file: string; size: number }) {
  const [, id, kind] = /^([^.]+)\.(png|svg)$/.exec(input.file) ?? [];
  const { site, owner } = await findPublished(deps, id);
  if (effectiveTier(owner, deps.now()) === 'free') {
    throw new CodedError('FREE_TIER_RESTRICTED', {
      error: 'QR codes are part of the paid plans.',
      requiredTier: 'starter',
    });
  }
  const url = deps.addresses.siteUrl(site.host);
  // Loaded late: no other request draws. A bundled CommonJS module has only its default export then.
  const { default: qrCode } = await import('qrcode');
  return kind === 'svg'
    ? { kind, content: await qrCode.toString(url, { ...drawing, type: 'svg' }) }
    : {
        kind: 'png' as const,
        content: modulePng(qrCode.create(url, drawing).modules, drawing.margin, input.size),
      };
}

/** A white margin of four modules, which scanners need (ISO/IEC 18004 §9.1). */
const drawing = { margin: 4, errorCorrectionLevel: 'M' } as const;

async function findPublished(
  deps: QrCodeDeps,
  id: string | undefined,
): Promise<{ site: ServingRecord; owner: Account }> {
  const projectId = ProjectId.safeParse(id).data;
  const project = projectId === undefined ? undefined : await deps.projects.get(projectId);
  if (project === undefined || project.ownerId === null) throw qrCodeNotFound();
  const site = await deps.sites.get(project.host);
  // Uses the rule for visitors, so that the reasons are listed only once.
  const refusal = refuseVisit(site, 'stranger', deps.now());
  if (site === undefined || site.projectId !== projectId) throw qrCodeNotFound();
  if (!isAddressKnown(refusal)) throw qrCodeNotFound();
  const owner = await deps.accounts.get(project.ownerId);
  if (owner === undefined) throw qrCodeNotFound();
  return { site, owner };
}

/** Whether a visitor can tell that a project is at the address: a locked or resting one counts. */
function isAddressKnown(refusal: Decision | undefined): boolean {
  return refusal === undefined || refusal.kind === 'locked' || refusal.kind === 'resting';
}

function qrCodeNotFound(): CodedError {
  return new CodedError('NOT_FOUND', { error: 'There is no QR code at this address.' });
}
