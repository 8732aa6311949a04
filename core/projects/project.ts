import * as z from 'zod';
import {
  Access,
  AccountId,
  Instant,
  Notify,
  ProjectId,
  ProjectType,
  Slug,
  WorkspaceId,
} from '../../contract/fields.ts';
import { ProjectSettings } from '../../contract/project-settings.ts';
import { ProjectHistory } from './history/project-history.ts';
import { RetainedAssets, RetainedList, type ServingRecord } from '../visit/serving-record.ts';
import { NamedPreview } from './previews/named-preview.ts';
import type { Version } from './version.ts';
import { WaitingPush } from './versions/waiting-pushes.ts';

export { Version, warningsOf } from './version.ts';

/** The reservation of an address that a project gave up: for whom, and until when. */
export const FormerAddress = z.object({
  /** The account that gave it up and may use it again; null if no account may. */
  heldFor: z.nullable(AccountId),
  /** The only project that may use it again, if that project was taken down. */
  heldProject: z.nullable(ProjectId),
  heldUntil: Instant,
  /** The custom domain that it lay beneath; null for addresses of this service. */
  domainId: z.uuid().nullable(),
  /** When that account had got it from another account; null if it had not. */
  handedOverAt: z.nullable(Instant),
  /** Its project expired: until `heldUntil`, visitors read that. */
  expired: z.optional(z.literal(true)),
});
export type FormerAddress = z.infer<typeof FormerAddress>;

/** The earlier use of a project's address; null if there was none. */
export const AddressHistory = z
  .object({
    /**
     * The reservation of the address when the project got it; null if nobody had the address
     * before. The name is a stored field.
     */
    left: z.nullable(FormerAddress),
    /** When it came from another account; null if it was this account's own. */
    handedOverAt: z.nullable(Instant),
  })
  .nullable();
export type AddressHistory = z.infer<typeof AddressHistory>;

/** The stored form of a project. Resources for callers are built from it. */
export const Project = z.object({
  id: ProjectId,
  /** Null until it is claimed. */
  ownerId: z.nullable(AccountId),
  title: z.string(),
  slug: Slug,
  /** The host at which it is served; the key of its serving record. */
  host: z.string(),
  type: ProjectType,
  status: z.enum(['public', 'private']),
  access: Access,
  /** The hash of the visitors' password; see `passwords.ts`. */
  passwordHash: z.string().nullable(),
  /** The stamp of its list of people; see `people-list.ts`. Absent where it never had one. */
  peopleStamp: z.optional(z.string()),
  domainId: z.uuid().nullable(),
  workspaceId: WorkspaceId.nullable(),
  /** SHA-256 of the claim token, hexadecimal; kept after the claim so that its row goes with the project. */
  claimHash: z.string().optional(),
  /** The live version; 0 while the first one is not finished. */
  version: z.number().int().nonnegative(),
  /** The highest number that a version ever got. */
  lastVersion: z.number().int().nonnegative(),
  /** Increases when owner links and owner cookies must end: a new access or password, or the key that made a link is deleted. */
  ownerRevision: z.number().int().nonnegative(),
  /** When `access`, the password or the list of people changed last; absent if never. */
  accessChangedAt: z.optional(Instant),
  /** Increases with every change. A change is written only over the revision it was made from. */
  revision: z.number().int().nonnegative(),
  /** Size of the live version. */
  bytes: z.number().int().nonnegative(),
  fileCount: z.number().int().nonnegative(),
  history: ProjectHistory,
  /** Its named previews, also ended ones until maintenance has removed their files. */
  previews: z.array(NamedPreview).optional(),
  /** Pushes that wait for a worker, the latest last. */
  waitingPushes: z.array(WaitingPush).optional(),
  /** Absent where no asset of an earlier version is reachable. */
  retained: z.optional(RetainedAssets),
  /** The last lists of retained assets, as `<store>/<hash>`; the latest is the last one. */
  retainedLists: z.array(RetainedList).optional(),
  ...ProjectSettings.shape,
  /** Which mails about opens its owner gets; absent for none. */
  notify: z.optional(Notify.exclude(['off'])),
  /** When its first open since `notify` was chosen was mailed. */
  firstOpenMailedAt: z.optional(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  /** When the live version became live. */
  publishedAt: Instant,
  expiresAt: z.nullable(Instant),
  /** The `expiresAt` that webhooks were told of, a day before. */
  announcedEnd: z.optional(Instant),
  archivedAt: z.nullable(Instant),
  /** From when the edge may keep copies of its files; absent where it may not. See `edge-copies.ts`. */
  edgeFrom: z.optional(Instant),
  /** Until when it is not served, because its account has had more visits than its plan serves. */
  restingUntil: z.nullable(Instant),
  /** Set while the operator blocks it for everybody. */
  takedown: z.object({ reason: z.string(), at: Instant }).nullable(),
  /** Since when its owner's account is suspended. Nobody sees it then, and its lifetime is paused. */
  suspendedAt: z.nullable(Instant),
  /** Set when its removal has begun: its owner and visitors no longer see it. */
  removingAt: z.nullable(Instant),
  /** Why its first upload could not be published. */
  failure: z.string().nullable(),
  addressHistory: AddressHistory,
});
export type Project = z.infer<typeof Project>;

/** Everything that is written together when a version becomes live. */
export interface Publication {
  project: Project;
  version: Version;
  site: ServingRecord;
}
