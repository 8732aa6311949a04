import * as z from 'zod';
import { Instant, ProjectId } from '../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../core/instants.ts';
import type { Intent } from '../core/ports.ts';
import { Project, type Publication, type Version } from '../core/projects/project.ts';
import type { ServingRecord } from '../core/visit/serving-record.ts';

/** Index of everything that has an end: `expShard`, `expiresAt`. */
export const byExpiry = 'byExpiry';

const shardCount = 4;
export const shards = Array.from({ length: shardCount }, (_, shard) => `e${shard}`);

/** TTL is the backstop of the sweep, which is due long before. */
const ttlDelaySeconds = 24 * 3600;

export const metaKey = (projectId: ProjectId) => ({ pk: `PROJECT#${projectId}`, sk: 'META' });
export const claimKey = (claimHash: string) => ({ pk: `CLAIM#${claimHash}`, sk: 'CLAIM' });
export const intentKey = ({ projectId, version }: Pick<Intent, 'projectId' | 'version'>) => ({
  pk: `PROJECT#${projectId}`,
  sk: `INTENT#${sortable(version)}`,
});
const versionKey = (projectId: ProjectId, version: number) => ({
  pk: `PROJECT#${projectId}`,
  sk: `VERSION#${sortable(version)}`,
});

/** A project's own row as it is read; what the store adds for itself is dropped. */
export const ProjectRow = Project.extend({
  expiresAt: Instant.nullable().default(null),
  archivedAt: Instant.nullable().default(null),
});

/** What the expiry index gives: keys only. */
export const DueKey = z.object({
  pk: z.string().transform((pk) => ProjectId.parse(pk.replace(/^PROJECT#/, ''))),
  sk: z.string(),
});

export function projectRow(project: Project) {
  return {
    ...metaKey(project.id),
    ...withoutNulls(project),
    ...expiry(project.id, project.expiresAt),
  };
}

export function versionRow(projectId: ProjectId, version: Version) {
  return { ...versionKey(projectId, version.version), ...version };
}

export function claimRow({ project }: Publication, claimHash: string) {
  return { ...claimKey(claimHash), projectId: project.id, ...ttlOf(project.expiresAt) };
}

export function siteRow(site: ServingRecord) {
  return { ...withoutNulls(site), ...ttlOf(site.expiresAt) };
}

/** An intent's end stands in the expiry index like a project's. */
export function intentRow(intent: Intent) {
  const { projectId, version, startedAt, sweepAt } = intent;
  return { ...intentKey(intent), projectId, version, startedAt, ...expiry(projectId, sweepAt) };
}

/** The version number in an intent's sort key; `undefined` for other rows. */
export function intentVersion(sk: string): number | undefined {
  return sk.startsWith('INTENT#') ? Number(sk.slice('INTENT#'.length)) : undefined;
}

function sortable(version: number): string {
  return String(version).padStart(6, '0');
}

function expiry(projectId: ProjectId, expiresAt: Instant | null) {
  if (expiresAt === null) return {};
  const shard = Number.parseInt(projectId.slice(0, 8), 16) % shardCount;
  return { expiresAt, expShard: shards[shard], ...ttlOf(expiresAt) };
}

function ttlOf(expiresAt: Instant | null) {
  if (expiresAt === null) return {};
  return { ttl: epochSeconds(plusSeconds(new Date(expiresAt), ttlDelaySeconds)) };
}

function withoutNulls(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
