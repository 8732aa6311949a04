import { addressRememberedDays, daySeconds } from '../../../contract/limits.ts';
import * as z from 'zod';
import { AccountId, DomainId, Instant, ProjectId } from '../../../contract/fields.ts';
import { WebhookId } from '../../../contract/operations/webhooks.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { StoreId } from '../../../core/content/content-keys.ts';
import type { Intent, NoticeKey } from '../../../core/ports.ts';
import { UploadJob } from '../../../core/uploads/job.ts';
import { UploadId } from '../../../core/uploads/upload.ts';
import type { AddressHolder } from '../../../core/projects/addresses/address-availability.ts';
import { projectDueAt } from '../../../core/projects/removal/expiry.ts';
import { FormerAddress, Project } from '../../../core/projects/project.ts';
import { Version } from '../../../core/projects/version.ts';
import type { ServingRecord } from '../../../core/visit/serving-record.ts';
import { rowParser, withoutNulls } from '../null-fields.ts';
import { linkKey } from '../uploads/upload-link-rows.ts';
import { dropKey, metaKey, partition, versionKey } from './project-keys.ts';

/** Index of everything that the sweep must do at a certain time: `dueShard`, `dueAt`. */
export const dueIndex = 'byDue';

const shardCount = 4;
const shardsOf = (prefix: string) =>
  Array.from({ length: shardCount }, (_, shard) => prefix + String(shard));
export const dueShards = shardsOf('d');
/** The shards of versions whose files are to go. */
export const dropShards = shardsOf('f');

/** The TTL is a day later than the due time: it removes only rows that the sweep has missed. */
/** For this time, a used claim token can be distinguished from an unknown one. */
const usedClaimSeconds = 30 * daySeconds;

export const purgeKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'PURGE' });
export const noticeKey = (key: NoticeKey) => {
  const [pk, ...names] =
    'requestHash' in key
      ? [linkKey(key.requestHash).pk, ...(key.number === undefined ? [] : [key.number])]
      : [partition(key.projectId), ...(key.link === undefined ? [] : [key.link.kind, key.link.id])];
  return { pk, sk: ['NOTICE', ...names].join('#') };
};
export const claimKey = (claimHash: string) => ({ pk: `CLAIM#${claimHash}`, sk: 'CLAIM' });
export const intentKey = ({ projectId, store }: Pick<Intent, 'projectId' | 'store'>) => ({
  pk: partition(projectId),
  sk: `INTENT#${store}`,
});
export const erasureKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'ERASURE' });

/** Marks an account whose earlier versions exceed its plan. */
export const trimKey = (accountId: AccountId) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: 'TRIM',
});

/** Parses a project's row; drops the fields that only storage needs. */
export const parseProjectRow = rowParser(Project);

/** The row of a used or unused claim. */
export const ClaimRow = z.object({
  projectId: ProjectId,
  claimedAt: z.nullable(Instant).default(null),
});

/** An item of the index of due items, which has keys only. */
export const DueKey = z.object({ pk: z.string(), sk: z.string() }).transform(({ pk, sk }) => {
  if (sk === 'UPLOAD') {
    return { kind: 'upload' as const, uploadId: UploadId.parse(pk.replace(/^UPLOAD#/, '')) };
  }
  if (pk.startsWith('WEBHOOK#')) {
    const webhookId = WebhookId.parse(pk.replace(/^WEBHOOK#/, ''));
    return { kind: 'webhook' as const, webhookId, subject: sk.replace(/^LANE#/, '') };
  }
  if (sk === 'DOMAIN') {
    return { kind: 'domain' as const, domainId: DomainId.parse(pk.replace(/^DOMAIN#/, '')) };
  }
  if (pk.startsWith(linkKey('').pk)) {
    const [, number] = sk.split('#');
    const requestHash = pk.slice(linkKey('').pk.length);
    return { kind: 'notice' as const, requestHash, ...(number && { number: Number(number) }) };
  }
  if (pk.startsWith('CERTIFICATE#')) {
    const [name, arn] = [pk, sk].map((key) => key.replace(/^CERTIFICATE#/, ''));
    return { kind: 'certificate' as const, name: name ?? '', arn: arn ?? '' };
  }
  if (sk === 'TRIM') {
    return { kind: 'trim' as const, accountId: AccountId.parse(pk.replace(/^ACCOUNT#/, '')) };
  }
  return { kind: 'row' as const, projectId: ProjectId.parse(pk.replace(/^PROJECT#/, '')), sk };
});

/** The row of an intent. */
export const IntentRow = z
  .object({
    projectId: ProjectId,
    store: StoreId,
    startedAt: Instant,
    dueAt: Instant,
    job: UploadJob.optional(),
    seizedAt: z.optional(Instant),
  })
  .transform(({ dueAt, ...intent }): Intent => ({ ...intent, sweepAt: dueAt }));

export const uploadKey = (uploadId: UploadId) => ({ pk: `UPLOAD#${uploadId}`, sk: 'UPLOAD' });

/**
 * Projects of accounts have no TTL: only the sweep removes them, because it also updates the
 * account's totals.
 */
export function projectRow(project: Project) {
  const { id, ownerId, expiresAt } = project;
  return {
    ...metaKey(id),
    ...withoutNulls(project),
    ...dueAttributes(id, projectDueAt(project)),
    ...(ownerId === null ? ttlAttribute(expiresAt) : ownerListAttributes(project, ownerId)),
  };
}

/** Has only the fields of the schema: other fields of the object may be larger than a row allows. */
export function versionRow(projectId: ProjectId, version: Version) {
  return { ...versionKey(projectId, version.version), ...withoutNulls(Version.parse(version)) };
}

/** A pruned version; its files are deleted at `dropAt`. Nobody reads its long texts any more. */
export function dropRow(projectId: ProjectId, version: Version, dropAt: Instant) {
  const { warnings: _, note: __, ...kept } = Version.parse(version);
  return {
    ...dropKey(projectId, version.version),
    ...withoutNulls(kept),
    projectId,
    dueAt: dropAt,
    dueShard: `f${shardOf(projectId)}`,
  };
}

export function claimRow(project: Project, claimHash: string) {
  return { ...claimKey(claimHash), projectId: project.id, ...ttlAttribute(project.expiresAt) };
}

/** The TTL of a used claim. */
export function usedClaimTtl(claimedAt: Instant): number {
  return epochSeconds(plusSeconds(new Date(claimedAt), usedClaimSeconds));
}

export function siteRow(site: ServingRecord) {
  return { ...withoutNulls(site), ...(site.temporary ? ttlAttribute(site.expiresAt) : {}) };
}

/** An intent is due when no function can still be storing its upload. */
export function intentRow(intent: Intent) {
  const { sweepAt, ...known } = intent;
  const { projectId } = intent;
  return {
    ...intentKey(intent),
    ...known,
    ...dueAttributes(projectId, sweepAt),
    // Only the sweep may end a worker's job, because the job's project depends on it.
    ...(intent.job === undefined ? ttlAttribute(sweepAt) : {}),
  };
}

export function purgeRow(projectId: ProjectId, purgeAt: Instant) {
  return { ...purgeKey(projectId), projectId, ...dueAttributes(projectId, purgeAt) };
}

/** An address whose first content is not published yet. */
export function reservedRow({ host, id }: Pick<Project, 'host' | 'id'>) {
  return { host, projectId: id };
}

/** An address that a project has released. */
export function releasedAddressRow(host: string, left: FormerAddress) {
  // Nobody else ever gets a temporary slug, so its row only says that it expired.
  const isTemporary = left.expired === true && left.heldFor === null;
  const rememberedDays = isTemporary ? 0 : addressRememberedDays;
  const forgottenAt = plusSeconds(new Date(left.heldUntil), rememberedDays * daySeconds);
  return { host, ...withoutNulls(left), ttl: epochSeconds(forgottenAt) };
}

const parseReleasedRow = rowParser(FormerAddress);

/** Parses the holder of an address. */
export function parseAddressRow(row: Record<string, unknown> | undefined): AddressHolder {
  if (row === undefined) return undefined;
  const projectId = z.optional(ProjectId).parse(row['projectId']);
  return projectId === undefined ? parseReleasedRow(row) : { projectId };
}

/** The key of the used temporary slugs with one pair of words; its row has their random characters. */
export const issuedSlugsKey = (words: string) => ({ key: `temporary-slugs#${words}` });

/** Attributes for the index of due items; none if the row is never due. */
export function dueAttributes(id: string, dueAt: Instant | null) {
  return dueAt === null ? {} : { dueAt, dueShard: dueShardOf(id) };
}

/** The shard of the due items that an id or a hash belongs to; both begin with hexadecimal digits. */
export function dueShardOf(id: string): string {
  return `d${shardOf(id)}`;
}

function shardOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16) % shardCount;
}

/** The partition of an account's projects in the index of owners. */
export function ownerState(accountId: AccountId, state: 'active' | 'archived' | 'deleted'): string {
  return `${accountId}#${state}`;
}

/** The sort key of an account's projects, oldest first. */
export function listedAt({ id, createdAt }: Pick<Project, 'id' | 'createdAt'>): string {
  return `${createdAt}#${id}`;
}

function ownerListAttributes(project: Project, ownerId: AccountId) {
  const state = project.archivedAt === null ? 'active' : 'archived';
  return { ownerState: ownerState(ownerId, state), listedAt: listedAt(project) };
}

function ttlAttribute(expiresAt: Instant | null) {
  if (expiresAt === null) return {};
  return { ttl: epochSeconds(plusSeconds(new Date(expiresAt), daySeconds)) };
}
