import * as z from 'zod';
import {
  Access,
  AccountId,
  Bytes,
  Instant,
  ProjectId,
  ProjectType,
} from '../../contract/fields.ts';
import { ServedSettings } from '../../contract/project-settings.ts';
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
  /** Null until somebody claims it. */
  ownerId: AccountId.nullable(),
  /** See `Project`. */
  ownerRevision: z.number().int().nonnegative(),
  version: z.number().int().positive(),
  /** Where the version's own upload put its files. */
  store: StoreId,
  title: z.string(),
  type: ProjectType,
  status: z.enum(['public', 'private']),
  access: Access,
  /** Of the password that visitors enter; see `access-token.ts`. Null where there is none. */
  passwordStamp: z.string().nullable(),
  /** True until somebody claims it. */
  temporary: z.boolean(),
  ...ServedSettings.shape,
  /** Path of the home page of a static site; null for a bundle. */
  home: z.string().nullable(),
  manifest: Bytes.optional(),
  /** Redirects and headers that the site brings along, encoded; absent where it has none. */
  rules: Bytes.optional(),
  /** Of the markup that is kept of a single file of text; absent where its page is made at every view. */
  markupRevision: z.number().int().optional(),
  publishedAt: Instant,
  expiresAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  /** Until then its account has had more visits than its plan serves. */
  restingUntil: Instant.nullable(),
  /** True while the operator keeps it, or its owner's account, from everybody. */
  takenDown: z.boolean(),
  /** When its address came from another account; null where nobody else is known to have had it. */
  handedOverAt: Instant.nullable(),
});
export type ServingRecord = z.infer<typeof ServingRecord>;

/** Whether the project is one file with a page of ours around it: neither a site of its own nor a bundle. */
export function isSingleFile({ home, type }: Pick<ServingRecord, 'home' | 'type'>): boolean {
  return home === null && type !== 'files';
}
