import * as z from 'zod/mini';
import { PublishedBy, Warnings } from '../../contract/visits/version-fields.ts';
import { Bytes, Instant, ProjectType } from '../../contract/visits/visit-fields.ts';
import { ManifestHash, StoreId } from '../content/content-keys.ts';

/** One published version of a project's content. */
export const Version = z.object({
  version: z.int().check(z.positive()),
  store: StoreId,
  type: ProjectType,
  home: z.nullable(z.string()),
  bytes: z.int().check(z.nonnegative()),
  fileCount: z.int().check(z.positive()),
  /** These three are as in the serving record. */
  manifest: z.optional(Bytes),
  rules: z.optional(Bytes),
  manifestHash: z.optional(ManifestHash),
  /** The revision of the stored markup; absent where there is none. */
  markupRevision: z.optional(z.int()),
  /** Lines of its rules that were ignored. */
  warnings: Warnings,
  createdAt: Instant,
  publishedBy: PublishedBy,
  /** What its publisher said about it. */
  note: z.optional(z.string()),
  /** Whether another version was live when it was stored: it is in no feed before it is live. */
  draft: z.optional(z.boolean()),
});
export type Version = z.infer<typeof Version>;

/** The warnings of a version, as a field that is left out when there are none. */
export function warningsOf({ warnings }: Pick<Version, 'warnings'>): Pick<Version, 'warnings'> {
  return warnings === undefined ? {} : { warnings };
}
