import { createHash } from 'node:crypto';
import { describeWindow, idempotencyKeptSeconds } from '../../../contract/limits.ts';
import { ProjectId, type Slug } from '../../../contract/fields.ts';
import type { AccountCaller, Caller } from '../../caller.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { addressPlaces, countByAddress } from '../../limits/address-limits.ts';
import type { Counters } from '../../limits/counters.ts';
import { reservePlaces } from '../../limits/reserve-places.ts';
import { recordLimits } from '../../limits/sliding-window.ts';
import type { Addresses } from '../addresses/addresses.ts';
import {
  type FirstVersion,
  newProjectId,
  publishedProject,
  storeFirstVersion,
} from './first-version.ts';
import { type Publication, warningsOf } from '../project.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { UploadDeps } from '../../uploads/lock-upload.ts';
import { mapToUploadFailed } from '../../uploads/upload-failed.ts';
import { type UploadInput, withUpload } from '../../uploads/with-upload.ts';
import { buildServingRecord } from '../build-serving-record.ts';
import { confirmWrite } from '../confirm-write.ts';
import { storedTooLate } from '../change/project-change.ts';
import { temporarySlugs } from '../addresses/slugs.ts';
import type { TempLimits } from './upload-limits.ts';
import { leaseSeconds } from '../../idempotency/response-store.ts';
import { getProject, type GetProjectDeps } from '../project-view.ts';
import { hashSecretText, newToken } from '../../secret-text.ts';

/** The dependencies for publishing without an account. */
export interface PublishTempDeps extends UploadDeps {
  projects: Pick<ProjectStore, 'createIntent' | 'publish' | 'get' | 'getVersion'>;
  content: ContentStore;
  counters: Counters;
  addresses: Addresses;
  limits: TempLimits;
  now(): Date;
}

/**
 * Counts an attempt before the request is read; refused requests count too.
 * @throws CodedError RATE_LIMITED
 */
export async function admitTempUpload(deps: PublishTempDeps, caller: Caller): Promise<void> {
  const counted = { name: 'temp-attempts', rule: deps.limits.attempts, what: 'attempts' };
  await countByAddress(deps.counters, caller, counted, deps.now());
}

/**
 * Publishes an upload for a short time under an address that cannot be guessed.
 *
 * The upload is checked before a place under the rate limit is reserved, so that a refused upload
 * costs nothing. The place is reserved before bytes are stored, so that it is exact for parallel
 * uploads; an upload that is refused after bytes were stored (SECRETS_FOUND) uses the place up, and
 * one that we failed to store does not.
 * @throws CodedError those of prepareUpload; RATE_LIMITED; UPLOAD_FAILED when storing fails
 */
export async function publishTempProject(
  deps: PublishTempDeps,
  caller: Caller,
  input: UploadInput,
) {
  const { limits } = deps;
  return withUpload(deps, caller, { input, limits }, async ({ upload }) => {
    const result = await publishWithinLimits(deps, caller, upload);
    return { result, publishedAs: result.projectId, warnings: result.warnings };
  });
}

async function publishWithinLimits(deps: PublishTempDeps, caller: Caller, upload: PreparedUpload) {
  const startedAt = deps.now();
  const places = addressPlaces('temp-uploads', caller.address, deps.limits.uploads);
  const reservation = await reservePlaces(deps.counters, places, startedAt);
  recordLimits(caller, reservation.limits);
  if (!reservation.reserved) {
    const { rule, retryAfterSeconds } = reservation;
    throw new CodedError('RATE_LIMITED', {
      error: `At most ${rule.limit} uploads in ${describeWindow(rule.windowSeconds)} without an account.`,
      retryAfterSeconds,
    });
  }
  try {
    return await mapToUploadFailed(caller, () => storeAndPublish(deps, upload, startedAt));
  } catch (error) {
    if (error instanceof CodedError && error.code === 'UPLOAD_FAILED') await reservation.release();
    throw error;
  }
}

async function storeAndPublish(deps: PublishTempDeps, upload: PreparedUpload, startedAt: Date) {
  const first = await storeFirstVersion(deps, upload, startedAt);
  // Nobody could give it another one.
  const title = (await upload.homeTitle?.()) ?? upload.title;
  const claimToken = newToken();
  const claimHash = hashSecretText(claimToken);
  for (const slug of temporarySlugs()) {
    const publication = temporaryPublication(deps, first, slug, { claimHash, title });
    const { project } = publication;
    const outcome = await deps.projects
      .publish(publication)
      .catch(confirmWrite(deps.projects, { after: project }, 'published' as const));
    if (outcome === 'intent-gone') throw storedTooLate();
    if (outcome !== 'published') continue;
    return {
      projectId: project.id,
      slug,
      url: deps.addresses.siteUrl(project.host),
      claimToken,
      claimUrl: deps.addresses.claimUrl(claimToken),
      expiresAt: project.expiresAt,
      ...warningsOf(first.stored),
    };
  }
  throw new Error('no free slug for a temporary project');
}

function temporaryPublication(
  deps: PublishTempDeps,
  first: FirstVersion,
  slug: Slug,
  details: { claimHash: string; title: string },
): Publication {
  const now = deps.now();
  const { project, version } = publishedProject(
    first,
    {
      slug,
      host: deps.addresses.hostOf(slug),
      ownerId: null,
      ...details,
      access: 'public',
      passwordHash: null,
      expiresAt: instant(plusSeconds(now, deps.limits.lifetimeSeconds)),
    },
    { now, publishedBy: { kind: 'temporary', id: null, name: null } },
  );
  return { project, version, site: buildServingRecord(project, version) };
}

/**
 * The project that a call makes, or that it made before it crashed. The id is derived from the
 * call, so a repeated call whose first response was lost finds the project and makes no second one.
 * A project that is older than idempotency keys are kept belongs to an earlier call.
 */
export async function projectOfCall(deps: GetProjectDeps, caller: AccountCaller, callId: string) {
  const projectId = projectIdOf(callId);
  const found = await deps.projects.get(projectId);
  if (found === undefined) return { projectId };
  const oldest = instant(plusSeconds(deps.now(), leaseSeconds - idempotencyKeptSeconds));
  const isOfThisCall = found.ownerId === caller.account.id && found.removingAt === null;
  if (!isOfThisCall || found.createdAt < oldest) return { projectId: newProjectId() };
  const { id, ...facts } = await getProject(deps, caller, { projectId });
  return { projectId, project: { ...facts, projectId: id } };
}

/** A UUID of version 8, which leaves its bits to the application (RFC 9562 §5.8). */
function projectIdOf(callId: string): ProjectId {
  const hex = createHash('sha256').update(callId).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return ProjectId.parse(parts.join('-'));
}
