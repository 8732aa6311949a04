import * as z from 'zod';
import { Access, Bytes, Instant, ProjectId, ProjectType } from '../../contract/fields.ts';
import { StoreId } from '../content/content-keys.ts';

/**
 * All that serving one host needs, read with one key.
 *
 * `manifest` is absent when it is too large for the record; it is then an object beside the
 * version's files, immutable, and kept in memory by whoever read it.
 */
export const ServingRecord = z.object({
  host: z.string(),
  projectId: ProjectId,
  version: z.number().int().positive(),
  /** Where the version's own upload put its files. */
  store: StoreId,
  title: z.string(),
  type: ProjectType,
  status: z.enum(['public', 'private']),
  access: Access,
  /** True until somebody claims it. */
  temporary: z.boolean(),
  noIndex: z.boolean(),
  /** Path of the home page of a static site; null for a bundle. */
  home: z.string().nullable(),
  manifest: Bytes.optional(),
  publishedAt: Instant,
  expiresAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  /** True while the operator keeps it from everybody. */
  takenDown: z.boolean(),
});
export type ServingRecord = z.infer<typeof ServingRecord>;
