import * as z from 'zod';
import { Access, Bytes, Instant, ProjectId, ProjectType, Slug } from '../../contract/fields.ts';
import type { ServingRecord } from '../visit/serving-record.ts';

/** A project as it is stored; what callers see is made from it. */
export const Project = z.object({
  id: ProjectId,
  title: z.string(),
  slug: Slug,
  /** Where it is served; the key of its serving record. */
  host: z.string(),
  type: ProjectType,
  status: z.enum(['public', 'private']),
  access: Access,
  /** SHA-256 of the claim token, hexadecimal, while nobody owns the project. */
  claimHash: z.string().optional(),
  version: z.number().int().positive(),
  bytes: z.number().int().nonnegative(),
  fileCount: z.number().int().positive(),
  noIndex: z.boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  expiresAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
});
export type Project = z.infer<typeof Project>;

/** One published version of a project's content. */
export const Version = z.object({
  version: z.number().int().positive(),
  type: ProjectType,
  home: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  fileCount: z.number().int().positive(),
  /** Absent when it is an object beside the version's files. */
  manifest: Bytes.optional(),
  createdAt: Instant,
});
export type Version = z.infer<typeof Version>;

/** Everything that becomes visible in one step. */
export interface Publication {
  project: Project;
  version: Version;
  site: ServingRecord;
}
