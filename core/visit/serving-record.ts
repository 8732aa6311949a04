import * as z from 'zod/mini';
import {
  Access,
  AccountId,
  Bytes,
  Instant,
  ProjectId,
  ProjectType,
} from '../../contract/visits/visit-fields.ts';
import { ProjectSettings } from '../../contract/project-settings.ts';
import { ManifestHash, StoreId } from '../content/content-keys.ts';

/**
 * Assets of earlier versions that stay reachable for a while: pages that were open before a push load
 * them. Their manifest is an object in the store of the live version.
 */
export const RetainedAssets = z.object({
  hash: ManifestHash,
  files: z.int().check(z.positive()),
  bytes: z.int().check(z.nonnegative()),
  /** When the last of them ends. */
  until: Instant,
});
export type RetainedAssets = z.infer<typeof RetainedAssets>;

/** A list of retained assets below its project's prefix: `<store>/<hash>`. */
export const RetainedList = z
  .string()
  .check(z.regex(/^[^/]+\/[^/]+$/))
  .brand<'RetainedList'>();
export type RetainedList = z.infer<typeof RetainedList>;

/**
 * Everything that serving one host needs, read with one key.
 *
 * The record has at most 4 kB, so that a strongly consistent read of it is one unit (Amazon DynamoDB,
 * "Read consistency"). Manifest and rules that are too large for it are an immutable object beside the
 * version's files, which its readers cache; the record then has `manifestHash` in their place.
 */
export const ServingRecord = z.object({
  host: z.string(),
  projectId: ProjectId,
  /** The custom domain that it is served under; null under the sites domain. */
  domainId: z.nullable(z.uuid()),
  /** Null until somebody claims it. */
  ownerId: z.nullable(AccountId),
  /** See `Project`. */
  ownerRevision: z.int().check(z.nonnegative()),
  version: z.int().check(z.positive()),
  /** The store of the version's own upload. */
  store: StoreId,
  title: z.string(),
  type: ProjectType,
  /** The settings' `status`: `private` means unpublished and answers 404; see `access` for who may visit. */
  status: z.enum(['public', 'private']),
  access: Access,
  /** Identifies the visitors' password; see `passwordStamp` in `access-token.ts`. Null where there is none. */
  passwordStamp: z.nullable(z.string()),
  /** The stamp of its list of people, which has a row of its own; absent where it has none. */
  peopleStamp: z.optional(z.string()),
  /** True until somebody claims it. */
  temporary: z.boolean(),
  ...ProjectSettings.shape,
  /** Path of the home page of a static site; null for a bundle. */
  home: z.nullable(z.string()),
  manifest: z.optional(Bytes),
  /** The site's own redirects and headers, encoded; absent where it has none. */
  rules: z.optional(Bytes),
  /** The hash of the object with manifest and rules, where they are not in the record. */
  manifestHash: z.optional(ManifestHash),
  /** Assets of earlier versions that are still reachable. */
  retained: z.optional(RetainedAssets),
  /** Revision of the stored markup of a single text file; absent where its page is rendered at every view. */
  markupRevision: z.optional(z.int()),
  publishedAt: Instant,
  expiresAt: z.nullable(Instant),
  archivedAt: z.nullable(Instant),
  /** From when the edge may keep copies of its files; absent where it may not. */
  edgeFrom: z.optional(Instant),
  /** When `access`, the password or the list of people changed last; absent if never. */
  accessChangedAt: z.optional(Instant),
  /** Until then it answers 503, because its account had twice its monthly visits. */
  restingUntil: z.nullable(Instant),
  /** True while the operator blocks it or its owner's account. */
  takenDown: z.boolean(),
  /** When it got its address from another account; null where no former site is known. */
  handedOverAt: z.nullable(Instant),
});
export type ServingRecord = z.infer<typeof ServingRecord>;

/** Whether the project is one file in a viewer page: neither a site with a home page nor a bundle. */
export function isSingleFile({ home, type }: Pick<ServingRecord, 'home' | 'type'>): boolean {
  return home === null && type !== 'files';
}
