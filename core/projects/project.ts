import * as z from 'zod';
import {
  Access,
  AccountId,
  Bytes,
  Instant,
  ProjectId,
  ProjectType,
  Slug,
  Warnings,
  WorkspaceId,
} from '../../contract/fields.ts';
import { ProjectSettings } from '../../contract/project-settings.ts';
import { StoreId } from '../content/content-keys.ts';
import { ProjectHistory } from './history/project-history.ts';
import type { ServingRecord } from '../visit/serving-record.ts';

/** What an address that a project left says: for whom it is kept, and until when. */
export const LeftAddress = z.object({
  /** The account whose project left it; null where it may not return. */
  heldFor: AccountId.nullable(),
  /** The one project that may return, where an operator had shut the address. */
  heldProject: ProjectId.nullable(),
  heldUntil: Instant,
  /** When that account had taken it over from another one; null where it had not. */
  handedOverAt: Instant.nullable(),
});
export type LeftAddress = z.infer<typeof LeftAddress>;

/** What was known of an address when a project took it; null for one that nobody had before. */
export const AddressHistory = z
  .object({
    /** What it said then. */
    left: LeftAddress,
    /** When it came from another account; null where it was this one's own. */
    handedOverAt: Instant.nullable(),
  })
  .nullable();
export type AddressHistory = z.infer<typeof AddressHistory>;

/** A project as it is stored; what callers see is made from it. */
export const Project = z.object({
  id: ProjectId,
  /** Null until somebody claims it. */
  ownerId: AccountId.nullable(),
  title: z.string(),
  slug: Slug,
  /** Where it is served; the key of its serving record. */
  host: z.string(),
  type: ProjectType,
  status: z.enum(['public', 'private']),
  access: Access,
  /** What visitors' passwords are compared with; see `password-hash.ts`. */
  passwordHash: z.string().nullable(),
  domainId: z.uuid().nullable(),
  workspaceId: WorkspaceId.nullable(),
  /** SHA-256 of the claim token, hexadecimal; kept after the claim so that its row goes with the project. */
  claimHash: z.string().optional(),
  /** The live version; 0 while the first one is not finished. */
  version: z.number().int().nonnegative(),
  /** The highest number that a version ever got. */
  lastVersion: z.number().int().nonnegative(),
  /** Grows with whatever ends the owner's links and cookies: another access, another password, a key that made one is deleted. */
  ownerRevision: z.number().int().nonnegative(),
  /** Grows with every change: a change is written only over the state it was made from. */
  revision: z.number().int().nonnegative(),
  /** Of the live version. */
  bytes: z.number().int().nonnegative(),
  fileCount: z.number().int().nonnegative(),
  /** What it keeps beside the live version. */
  history: ProjectHistory,
  ...ProjectSettings.shape,
  createdAt: Instant,
  updatedAt: Instant,
  /** When the live version became live. */
  publishedAt: Instant,
  expiresAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  /** Until then its account has had more visits than its plan serves. */
  restingUntil: Instant.nullable(),
  /** Why the operator keeps it from everybody. */
  takedown: z.object({ reason: z.string(), at: Instant }).nullable(),
  /** Since when its owner's account is suspended: until then nobody sees it, and its time stands still. */
  suspendedAt: Instant.nullable(),
  /** Set once its removal has begun: for its owner and visitors it is gone. */
  removingAt: Instant.nullable(),
  /** Why its first upload could not be published. */
  failure: z.string().nullable(),
  /** What was known of its address when it took it. */
  addressHistory: AddressHistory,
});
export type Project = z.infer<typeof Project>;

/** One published version of a project's content. */
export const Version = z.object({
  version: z.number().int().positive(),
  store: StoreId,
  type: ProjectType,
  home: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  fileCount: z.number().int().positive(),
  /** Absent when it is an object beside the version's files. */
  manifest: Bytes.optional(),
  /** Redirects and headers of the site, encoded; absent where it has none. */
  rules: Bytes.optional(),
  /** Of the markup that is kept beside its files; absent where there is none. */
  markupRevision: z.number().int().optional(),
  /** Lines of its rules that were left out. */
  warnings: Warnings,
  createdAt: Instant,
});
export type Version = z.infer<typeof Version>;

/** Everything that becomes visible in one step. */
export interface Publication {
  project: Project;
  version: Version;
  site: ServingRecord;
}
