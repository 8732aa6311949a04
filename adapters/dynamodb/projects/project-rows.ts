import * as z from 'zod';
import { AccountId, Instant, ProjectId } from '../../../contract/fields.ts';
import { defaultSettings, ProjectSettings } from '../../../contract/project-settings.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { StoreId } from '../../../core/content/content-keys.ts';
import type { Intent } from '../../../core/ports.ts';
import { UploadJob } from '../../../core/uploads/job.ts';
import { UploadId } from '../../../core/uploads/upload.ts';
import { type AddressHolder, rememberedDays } from '../../../core/projects/addresses/address.ts';
import { removalDueAt } from '../../../core/projects/removal/ending.ts';
import { LeftAddress, Project, Version } from '../../../core/projects/project.ts';
import { noHistory } from '../../../core/projects/history/project-history.ts';
import type { ServingRecord } from '../../../core/visit/serving-record.ts';

/** Index of everything that is to be done at a time: `dueShard`, `dueAt`. */
export const byDue = 'byDue';
/** Index of what an account owns: `ownerState`, `listedAt`. */
export const byOwner = 'byOwner';

const shardCount = 4;
export const shards = Array.from({ length: shardCount }, (_, shard) => `d${shard}`);

/** TTL is the backstop of the sweep, which is due long before. */
const daySeconds = 24 * 3600;
const ttlDelaySeconds = daySeconds;
/** For so long a used claim token is told apart from one that never was. */
const usedClaimSeconds = 30 * 24 * 3600;

const partition = (projectId: ProjectId) => `PROJECT#${projectId}`;

export const metaKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'META' });
export const purgeKey = (projectId: ProjectId) => ({ pk: partition(projectId), sk: 'PURGE' });
export const claimKey = (claimHash: string) => ({ pk: `CLAIM#${claimHash}`, sk: 'CLAIM' });
export const intentKey = ({ projectId, store }: Pick<Intent, 'projectId' | 'store'>) => ({
  pk: partition(projectId),
  sk: `INTENT#${store}`,
});
export const versionKey = (projectId: ProjectId, version: number) => ({
  pk: partition(projectId),
  sk: `VERSION#${sortable(version)}`,
});
export const dropKey = (projectId: ProjectId, version: number) => ({
  pk: partition(projectId),
  sk: `DROP#${sortable(version)}`,
});

/** That an account's earlier versions hold more than its plan. */
export const trimKey = (accountId: AccountId) => ({
  pk: `ACCOUNT#${accountId}`,
  sk: 'TRIM',
});

/** What is null is absent, and what a row is older than has its default. */
const StoredProject = Project.extend({
  ownerId: Project.shape.ownerId.default(null),
  ownerRevision: Project.shape.ownerRevision.default(0),
  passwordHash: z.string().nullable().default(null),
  domainId: z.uuid().nullable().default(null),
  workspaceId: Project.shape.workspaceId.default(null),
  ...ProjectSettings.partial().shape,
  expiresAt: Instant.nullable().default(null),
  archivedAt: Instant.nullable().default(null),
  restingUntil: Instant.nullable().default(null),
  takedown: Project.shape.takedown.default(null),
  suspendedAt: Instant.nullable().default(null),
  removingAt: Instant.nullable().default(null),
  failure: z.string().nullable().default(null),
  addressHistory: Project.shape.addressHistory.default(null),
  history: Project.shape.history.default(noHistory),
  lastVersion: Project.shape.lastVersion.default(1),
  revision: Project.shape.revision.default(0),
  publishedAt: Instant.optional(),
});

/** A project as its own row says; what the store adds for itself is dropped. */
export function readProject(row: unknown): Project {
  const stored = StoredProject.parse(row);
  return Project.parse({
    ...defaultSettings,
    ...stored,
    publishedAt: stored.publishedAt ?? stored.createdAt,
  });
}

/** The first store of projects that are older than stores. */
export const firstStore = StoreId.parse('1');

const StoredVersion = Version.extend({
  store: StoreId.default(firstStore),
  home: z.string().nullable().default(null),
});

/** A version as its own row says. */
export function readVersion(row: unknown): Version {
  return Version.parse(StoredVersion.parse(row));
}

/** A used or unused claim, as it is read. */
export const ClaimRow = z.object({
  projectId: ProjectId,
  claimedAt: Instant.nullable().default(null),
});

/** What the index of due things gives: keys only. */
export const DueKey = z.object({ pk: z.string(), sk: z.string() }).transform(({ pk, sk }) => {
  if (sk === 'UPLOAD') {
    return { kind: 'upload' as const, uploadId: UploadId.parse(pk.replace(/^UPLOAD#/, '')) };
  }
  if (sk === 'TRIM') {
    return { kind: 'trim' as const, accountId: AccountId.parse(pk.replace(/^ACCOUNT#/, '')) };
  }
  return { kind: 'row' as const, projectId: ProjectId.parse(pk.replace(/^PROJECT#/, '')), sk };
});

/** An intent as its own row says. */
export const IntentRow = z
  .object({
    projectId: ProjectId,
    store: StoreId,
    startedAt: Instant,
    dueAt: Instant,
    job: UploadJob.optional(),
    seizedAt: Instant.optional(),
  })
  .transform(({ dueAt, ...intent }): Intent => ({ ...intent, sweepAt: dueAt }));

export const uploadKey = (uploadId: UploadId) => ({ pk: `UPLOAD#${uploadId}`, sk: 'UPLOAD' });

/** An account's projects are removed by the sweep alone, which settles its sums: they have no time to live. */
export function projectRow(project: Project) {
  const { id, ownerId, expiresAt } = project;
  return {
    ...metaKey(id),
    ...withoutNulls(project),
    ...due(id, removalDueAt(project)),
    ...(ownerId === null ? ttlOf(expiresAt) : listing(project, ownerId)),
  };
}

export function versionRow(projectId: ProjectId, version: Version) {
  return { ...versionKey(projectId, version.version), ...withoutNulls(version) };
}

/** A version that left the history: its files go at `dropAt`. */
export function dropRow(projectId: ProjectId, version: Version, dropAt: Instant) {
  return {
    ...dropKey(projectId, version.version),
    ...withoutNulls(version),
    projectId,
    ...due(projectId, dropAt),
  };
}

export function claimRow(project: Project, claimHash: string) {
  return { ...claimKey(claimHash), projectId: project.id, ...ttlOf(project.expiresAt) };
}

/** The second until which a used claim is remembered. */
export function usedClaimTtl(claimedAt: Instant): number {
  return epochSeconds(plusSeconds(new Date(claimedAt), usedClaimSeconds));
}

export function siteRow(site: ServingRecord) {
  return { ...withoutNulls(site), ...(site.temporary ? ttlOf(site.expiresAt) : {}) };
}

/** An intent is due when nobody can still be storing. */
export function intentRow(intent: Intent) {
  const { sweepAt, ...known } = intent;
  const { projectId } = intent;
  return {
    ...intentKey(intent),
    ...known,
    ...due(projectId, sweepAt),
    // A worker's job is settled by the sweep alone: its project hangs on it.
    ...(intent.job === undefined ? ttlOf(sweepAt) : {}),
  };
}

export function purgeRow(projectId: ProjectId, purgeAt: Instant) {
  return { ...purgeKey(projectId), projectId, ...due(projectId, purgeAt) };
}

/** An address whose first content is still to come. */
export function reservedRow({ host, id }: Pick<Project, 'host' | 'id'>) {
  return { host, projectId: id };
}

/** An address that a project left. */
export function leftRow(host: string, left: LeftAddress) {
  const forgottenAt = plusSeconds(new Date(left.heldUntil), rememberedDays * daySeconds);
  return { host, ...withoutNulls(left), ttl: epochSeconds(forgottenAt) };
}

const LeftRow = LeftAddress.extend({
  heldFor: LeftAddress.shape.heldFor.default(null),
  heldProject: LeftAddress.shape.heldProject.default(null),
  handedOverAt: LeftAddress.shape.handedOverAt.default(null),
});

/** Who has an address, as its row says. */
export function readAddressHolder(row: Record<string, unknown> | undefined): AddressHolder {
  if (row === undefined) return undefined;
  const projectId = ProjectId.optional().parse(row['projectId']);
  return projectId === undefined ? LeftRow.parse(row) : { projectId };
}

/** The temporary slugs that were given out of two words: of each its random characters. */
export const issuedSlugsKey = (words: string) => ({ key: `temporary-slugs#${words}` });

/** A place in the index of due things; none for what is never due. */
export function due(id: ProjectId | UploadId | AccountId, dueAt: Instant | null) {
  return dueAt === null ? {} : { dueAt, dueShard: shardOf(id) };
}

/** Which of the parts of due things an id belongs to. */
export function shardOf(id: ProjectId | UploadId | AccountId): string {
  return `d${Number.parseInt(id.slice(0, 8), 16) % shardCount}`;
}

/** The partition of an account's projects in the index of what accounts own. */
export function ownerState(accountId: AccountId, state: 'active' | 'archived' | 'deleted'): string {
  return `${accountId}#${state}`;
}

/** Text by which projects of one account sort, oldest first. */
export function listedAt({ id, createdAt }: Pick<Project, 'id' | 'createdAt'>): string {
  return `${createdAt}#${id}`;
}

function listing(project: Project, ownerId: AccountId) {
  const state = project.archivedAt === null ? 'active' : 'archived';
  return { ownerState: ownerState(ownerId, state), listedAt: listedAt(project) };
}

function sortable(version: number): string {
  return String(version).padStart(6, '0');
}

function ttlOf(expiresAt: Instant | null) {
  if (expiresAt === null) return {};
  return { ttl: epochSeconds(plusSeconds(new Date(expiresAt), ttlDelaySeconds)) };
}

export function withoutNulls(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
