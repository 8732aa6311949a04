import { randomUUID } from 'node:crypto';
import { ProjectId } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { prepareUpload, type PreparedUpload, type Upload } from '../content/prepare-upload.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import { callerKey } from '../limits/caller-key.ts';
import { type Counters, countAttempt, spell } from '../limits/counters.ts';
import type { Addresses } from './addresses.ts';
import { hashToken, newClaimToken } from './claim-token.ts';
import type { Publication } from './project.ts';
import type { ContentStore, ProjectStore } from '../ports.ts';
import { temporarySlug } from './slugs.ts';
import { type StoredVersion, storeVersion } from './store-version.ts';
import type { TempLimits } from './temp-limits.ts';

/** What publishing without an account needs. */
export interface PublishTempDeps {
  projects: ProjectStore;
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
  await countAttempt(deps.counters, key, deps.limits.attempts, deps.now());
}

/**
 * Publishes an upload for a quarter of an hour under an address that cannot be guessed.
 *
 * The upload is read and understood before a place in the allowance is taken, so that a refused
 * one costs nothing; the place is taken before bytes are stored, so that parallel uploads meet
 * the limit exactly.
 * @throws CodedError those of prepareUpload; RATE_LIMITED; UPLOAD_FAILED when storing fails
 */
export async function publishTemp(deps: PublishTempDeps, caller: Caller, input: Upload) {
  const upload = await prepareUpload(input, deps.limits);
  const startedAt = deps.now();
  const key = `temp-uploads#${callerKey(caller.address)}`;
  const taken = await deps.counters.take(key, deps.limits.uploads, startedAt);
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
  const projectId = ProjectId.parse(randomUUID());
  const intent = {
    projectId,
    version: 1,
    startedAt: instant(startedAt),
    sweepAt: instant(plusSeconds(startedAt, deps.limits.storingSeconds)),
  };
  await deps.projects.begin(intent);
  const stored = await storeVersion(deps.content, projectId, 1, upload);
  const claimToken = newClaimToken();
  const { project } = await goLive(deps, (now) =>
    publicationOf({ deps, projectId, upload, stored, claimHash: hashToken(claimToken), now }),
  );
  return {
    projectId,
    slug: project.slug,
    url: deps.addresses.siteUrl(project.host),
    claimToken,
    claimUrl: deps.addresses.claimUrl(claimToken),
    expiresAt: project.expiresAt,
  };
}

const slugTries = 5;

async function goLive(deps: PublishTempDeps, make: (now: Date) => Publication) {
  for (let tries = 1; tries <= slugTries; tries += 1) {
    const publication = make(deps.now());
    const outcome = await deps.projects.publish(publication);
    if (outcome === 'published') return publication;
    if (outcome === 'intent-gone') throw new Error('storing took longer than its intent lives');
  }
  throw new Error(`no free slug in ${slugTries} tries`);
}

function publicationOf(parts: {
  deps: PublishTempDeps;
  projectId: ProjectId;
  upload: PreparedUpload;
  stored: StoredVersion;
  claimHash: string;
  now: Date;
}): Publication {
  const { deps, projectId, upload, stored, claimHash, now } = parts;
  const slug = temporarySlug();
  const host = deps.addresses.hostOf(slug);
  const createdAt = instant(now);
  const expiresAt = instant(plusSeconds(now, deps.limits.lifetimeSeconds));
  const { type, home, title, bytes } = upload;
  const fileCount = upload.files.length;
  const shared = { title, type, status: 'public', access: 'public', expiresAt } as const;
  return {
    project: {
      ...shared,
      id: projectId,
      slug,
      host,
      claimHash,
      version: 1,
      bytes,
      fileCount,
      noIndex: false,
      createdAt,
      updatedAt: createdAt,
      archivedAt: null,
    },
    version: { version: 1, type, home, bytes, fileCount, createdAt, ...stored },
    site: {
      ...shared,
      ...stored,
      host,
      projectId,
      version: 1,
      temporary: true,
      noIndex: true,
      home,
      publishedAt: createdAt,
      archivedAt: null,
    },
  };
}
