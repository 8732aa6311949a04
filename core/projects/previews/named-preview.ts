import * as z from 'zod/mini';
import { Instant } from '../../../contract/visits/visit-fields.ts';
import { hasExpired } from '../../instants.ts';
import type { Version } from '../version.ts';

/**
 * A named preview of a project. Its files are a version that never joins the history: the row of a version that
 * left, whose files stay until the preview ends.
 */
export const NamedPreview = z.object({
  name: z.string(),
  /** The number of its version; each push takes a new one. */
  version: z.int().check(z.positive()),
  access: z.enum(['project', 'public']),
  bytes: z.int().check(z.nonnegative()),
  fileCount: z.int().check(z.positive()),
  createdAt: Instant,
  updatedAt: Instant,
  expiresAt: Instant,
});
export type NamedPreview = z.infer<typeof NamedPreview>;

/** What a preview is made with, beside its files. */
export type PreviewChoices = Pick<NamedPreview, 'name' | 'access'> & {
  /** Counted from each push. */
  lifeSeconds: number;
};

/** A preview and what it shows. */
export interface ShownPreview {
  preview: Pick<NamedPreview, 'access' | 'expiresAt'>;
  version: Version;
}

/** The previews of a project that did not end. Pure. */
export function runningPreviews(
  { previews = [] }: { previews?: readonly NamedPreview[] | undefined },
  now: Date,
): NamedPreview[] {
  return previews.filter((preview) => !hasExpired(preview, now));
}

/** Bytes of previews; they count toward the plan as those of live versions do. */
export function previewBytes(previews: readonly NamedPreview[] | undefined): number {
  return (previews ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
}
