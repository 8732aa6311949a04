import type { Slug } from '../../../contract/fields.ts';
import type { Caller } from '../../caller.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { callerKey } from '../../limits/caller-key.ts';
import { type Counters, countAttempt, spell } from '../../limits/counters.ts';
import { noteLimits } from '../../limits/limit-state.ts';
import type { Addresses } from '../addresses/addresses.ts';
import { hashToken, newClaimToken } from '../claims/claim-token.ts';
import { toldOf } from '../versions/deployment.ts';
import { type FirstVersion, firstPublication, goLive, storeFirstVersion } from './first-version.ts';
import type { Publication } from '../project.ts';
import type { ContentStore, ProjectStore } from '../../ports.ts';
import type { OpenUploadDeps } from '../../uploads/open-upload.ts';
import { type AnyUpload, withUpload } from '../../uploads/with-upload.ts';
import { isWritten } from './is-written.ts';
import { temporarySlugs } from '../addresses/slugs.ts';
import type { TempLimits } from './temp-limits.ts';

/** What publishing without an account needs. */
export interface PublishTempDeps extends OpenUploadDeps {
  projects: Pick<ProjectStore, 'begin' | 'publish' | 'get'>;
  content: ContentStore;
  counters: Counters;
  addresses: Addresses;
  limits: TempLimits;
  now(): Date;
}

/**
 * Counts a try before anything of the request is read, refused ones too.
 * @throws CodedError RATE_LIMITED
 */
export async function admitTempUpload(deps: PublishTempDeps, caller: Caller): Promise<void> {
  const key = `temp-attempts#${callerKey(caller.address)}`;
  const counted = { key, rule: deps.limits.attempts, what: 'tries from one address' };
  await countAttempt(deps.counters, caller, counted, deps.now());
}

/**
 * Publishes an upload for a quarter of an hour under an address that cannot be guessed.
 *
 * The upload is read and understood before a place in the allowance is taken, so that a refused
 * one costs nothing; the place is taken before bytes are stored, so that parallel uploads meet
 * the limit exactly.
 * @throws CodedError those of prepareUpload; RATE_LIMITED; UPLOAD_FAILED when storing fails
 */
export async function publishTemp(deps: PublishTempDeps, caller: Caller, input: AnyUpload) {
  const { limits } = deps;
  return withUpload(deps, caller, { input, limits }, async ({ upload }) => {
    const result = await publishWithinLimits(deps, caller, upload);
    return { result, publishedAs: result.projectId };
  });
}

async function publishWithinLimits(deps: PublishTempDeps, caller: Caller, upload: PreparedUpload) {
  const startedAt = deps.now();
  const key = `temp-uploads#${callerKey(caller.address)}`;
  const taken = await deps.counters.take(key, deps.limits.uploads, startedAt);
  noteLimits(caller, taken.limits);
  if (!taken.taken) {
    const { rule, retryAfterSeconds } = taken;
    throw new CodedError('RATE_LIMITED', {
      error: `At most ${rule.limit} uploads in ${spell(rule.windowSeconds)} without an account.`,
      retryAfterSeconds,
    });
  }
  try {
    return await store(deps, upload, startedAt);
  } catch (cause) {
    await deps.counters.giveBack(key, startedAt);
    throw new CodedError(
      'UPLOAD_FAILED',
      { error: 'The upload could not be stored.', requestId: caller.requestId },
      { cause },
    );
  }
}

async function store(deps: PublishTempDeps, upload: PreparedUpload, startedAt: Date) {
  const first = await storeFirstVersion(deps, upload, startedAt);
  const claimToken = newClaimToken();
  const claimHash = hashToken(claimToken);
  const live = await goLive(
    temporarySlugs(),
    (slug) => publicationOf(deps, first, slug, claimHash),
    (publication) =>
      deps.projects.publish(publication).catch(async (error: unknown) => {
        if (await isWritten(deps.projects, publication.project)) return 'published' as const;
        throw error;
      }),
  );
  if (live === undefined) throw new Error('no free slug for a temporary project');
  const { project } = live.publication;
  return {
    projectId: project.id,
    slug: project.slug,
    url: deps.addresses.siteUrl(project.host),
    claimToken,
    claimUrl: deps.addresses.claimUrl(claimToken),
    expiresAt: project.expiresAt,
    ...toldOf(first.stored),
  };
}

function publicationOf(
  deps: PublishTempDeps,
  first: FirstVersion,
  slug: Slug,
  claimHash: string,
): Publication {
  const now = deps.now();
  return firstPublication(
    first,
    {
      slug,
      host: deps.addresses.hostOf(slug),
      ownerId: null,
      claimHash,
      title: first.upload.title,
      access: 'public',
      passwordHash: null,
      expiresAt: instant(plusSeconds(now, deps.limits.lifetimeSeconds)),
    },
    now,
  );
}
