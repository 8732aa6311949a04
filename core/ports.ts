import type { AccountId, DomainId, Instant, ProjectId } from '../contract/fields.ts';
import type { StoreId } from './content/content-keys.ts';
import type { PictureFinder } from './content/links/collect-pictures.ts';
import type { SecretFinder } from './content/secrets/find-secrets.ts';
import type { TextFile } from './content/text-file.ts';
import type { ByteRange } from './visit/protocol/conditional-request.ts';
import type { TextMarkup } from './visit/text-markup.ts';
import type { ServingRecord } from './visit/serving-record.ts';
import type { UploadJob } from './uploads/job.ts';
import type { UploadId } from './uploads/upload.ts';
import type {
  AddressAvailability,
  AddressRequester,
} from './projects/addresses/address-availability.ts';
import type { Project, Publication, Version } from './projects/project.ts';
import type { LaneKey } from './webhooks/webhook.ts';

/** Which site a host serves. */
export interface SiteDirectory {
  /** Strongly consistent: it includes what was published a moment ago. */
  get(host: string): Promise<ServingRecord | undefined>;
  /** Whether the last read of an address found a project that expired lately; only for what shows its page. */
  hasExpired?(address: { host: string; domainId: string | null }, now: Date): boolean;
}

/** Bytes under immutable keys. */
export interface ContentStore {
  put(object: StoredObject): Promise<void>;
  /** Stores `content` while it is read. The object becomes visible at the end, and only if `isStillNeeded` is true then. */
  putLarge(
    object: Omit<StoredObject, 'bytes'>,
    content: AsyncIterable<Uint8Array>,
    isStillNeeded: () => boolean,
  ): Promise<void>;
  /** `undefined` if the object does not exist (it may just have been deleted). */
  get(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /** Whether there is an object. False if storage does not tell. */
  has(key: string): Promise<boolean>;
  /**
   * Rewrites an object. `edit` changes its bytes in place and returns whether it changed any. False
   * if the object was replaced or removed meanwhile. For objects that fit into memory.
   */
  rewrite(key: string, edit: (bytes: Uint8Array) => boolean): Promise<boolean>;
  /**
   * Copies an object of at most 5 GiB within storage, with the headers that storage answers with. False if
   * there is no such object.
   */
  copy(key: string, to: Pick<StoredObject, 'key' | 'cacheTag'>): Promise<boolean>;
  /** Removes every object under the prefix before it returns. */
  deletePrefix(prefix: string): Promise<void>;
  /** Removes these objects; missing ones are ignored. */
  deleteKeys(keys: readonly string[]): Promise<void>;
  /** Renders a text file as markup. A store without this function keeps no markup. */
  renderText?(text: TextFile): Promise<TextMarkup>;
  /**
   * Searches a file that is to be published for keys. Only the store for people's uploads has this
   * function.
   */
  findSecrets?: SecretFinder;
  /** Finds the pictures on other sites that a text shows. A store without this function looks for none. */
  findPictures?: PictureFinder;
}

/** An object to store and the headers that storage itself answers with. */
export interface StoredObject {
  key: string;
  bytes: Uint8Array;
  contentType: string;
  contentDisposition?: string;
  contentEncoding?: 'br' | 'gzip';
  /** The tag for purging the object from an edge that fetches it directly. */
  cacheTag: string;
}

/** The edge, which caches responses of published sites. */
export interface EdgeCache {
  purge(projectId: ProjectId): Promise<void>;
  /**
   * Purges what a change of a project makes invalid, and returns when the edge has forgotten it.
   * Call it after the change is written. At most one purge of a project runs at a time.
   */
  purgeAfterDelay(projectId: ProjectId, purge: PurgeWish): Promise<void>;
}

/** How the edge must be purged after a change. */
export interface PurgeWish {
  /** Whether somebody may lose access. */
  restrictsAccess: boolean;
}

/** Projects and what belongs to them. */
export interface ProjectStore {
  /** Records that files of a version are about to be stored, so that the sweep finds them after a crash. */
  createIntent(intent: Intent): Promise<void>;
  /** Makes a version live: all of its rows are written, or none. */
  publish(publication: Publication): Promise<'published' | NotPublished>;
  getIntent(intent: Pick<Intent, 'projectId' | 'store'>): Promise<Intent | undefined>;
  /** Leases an intent to one worker until `until`; `undefined` when another worker has it, or it no longer exists. */
  leaseIntent(
    intent: Pick<Intent, 'projectId' | 'store'>,
    at: Instant,
    until: Instant,
  ): Promise<Intent | undefined>;
  postponeIntent(intent: Pick<Intent, 'projectId' | 'store'>, sweepAt: Instant): Promise<void>;
  /** Stops an intent from becoming a version; false when it became one already, or no longer exists. */
  seizeIntent(intent: Pick<Intent, 'projectId' | 'store'>, now: Date): Promise<boolean>;
  /** Deletes an intent after its files were removed. */
  deleteIntent(intent: Pick<Intent, 'projectId' | 'store'>): Promise<void>;
  get(projectId: ProjectId): Promise<Project | undefined>;
  /** Whether a removal that has begun is due; until then the project can be restored. */
  isRemovalDue(projectId: ProjectId, now: Date): Promise<boolean>;
  getVersion(projectId: ProjectId, version: number): Promise<Version | undefined>;
  /** Every version that is kept, newest first. */
  listVersions(projectId: ProjectId, limit?: number): Promise<Version[]>;
  /** The versions that share links show, whatever is live. */
  linkedVersions(projectId: ProjectId): Promise<ReadonlySet<number>>;
  /** A version that was dropped from the history and whose files are not removed yet. */
  getDroppedVersion(projectId: ProjectId, version: number): Promise<Version | undefined>;
  deleteDroppedVersion(projectId: ProjectId, version: number): Promise<void>;
  /** Versions that left the history and whose files stay for requests that have begun; at most `limit`. */
  listDroppedVersions(projectId: ProjectId, limit: number): Promise<Version[]>;
  /** Postpones the removal of a dropped version's remaining files, which others still use. */
  postponeDrop(projectId: ProjectId, version: number, dropAt: Instant): Promise<void>;
  /**
   * Schedules packs with bytes of files that no version uses any more for an erasure at `at`, or at
   * the time of those already scheduled. False, and nothing is added, if too many wait.
   */
  scheduleErasure(projectId: ProjectId, packs: readonly string[], at: Instant): Promise<boolean>;
  /** The locations of packs that wait for an erasure. */
  packsToErase(projectId: ProjectId): Promise<string[]>;
  /** Removes the packs in `done` from those that wait for an erasure; the others wait until `at`. */
  endErasure(projectId: ProjectId, done: readonly string[], at: Instant): Promise<void>;
  /** Whether this account can use an address now. */
  checkAvailability(
    host: string,
    requester: AddressRequester,
    now: Date,
  ): Promise<AddressAvailability['kind']>;
  /** Everything that is due at `now`, oldest first, read in pages. */
  listDue(now: Date): AsyncIterable<DueItem>;
  /** Versions whose files are to go at `now`: apart from the rest, because there may be very many. */
  listDueDrops(now: Date): AsyncIterable<DroppedItem>;
  /** Deletes the serving record of a host, if it still belongs to this project. */
  releaseHost(host: string, projectId: ProjectId): Promise<void>;
  /** Removes every row of a project except its purge and its intents; the project's own row last. */
  removeRows(projectId: ProjectId, claimHash: string | undefined): Promise<void>;
  /** Deletes a purge that was due at `now`; one that was scheduled later stays. */
  deletePurge(projectId: ProjectId, now: Date): Promise<void>;
}

/** Why a publication was not written: the address is not available, or the sweep removed its intent. */
export type NotPublished = 'slug-taken' | 'slug-reserved' | 'intent-gone';

/** A version whose files are being stored. */
export interface Intent {
  projectId: ProjectId;
  store: StoreId;
  startedAt: Instant;
  /** After this no request can still be storing files, and the sweep removes them. */
  sweepAt: Instant;
  /** The work that a worker does with it. */
  job?: UploadJob | undefined;
  /** Set when it can no longer become a version: its files are being removed. */
  seizedAt?: Instant | undefined;
}

/**
 * Work for the sweep that is due: a project's removal; the purge of a removed or changed project;
 * a mail about it; deliveries to a webhook; an intent or an upload that ended; bytes to erase from packs; an account's
 * history to trim; a custom domain to check.
 */
export type DueItem =
  | { kind: 'project'; projectId: ProjectId }
  | { kind: 'purge'; projectId: ProjectId }
  | ({ kind: 'notice' } & NoticeKey)
  | { kind: 'intent'; projectId: ProjectId; store: StoreId }
  | { kind: 'erasure'; projectId: ProjectId }
  | { kind: 'upload'; uploadId: UploadId }
  | { kind: 'trim'; accountId: AccountId }
  | { kind: 'domain'; domainId: DomainId }
  | ({ kind: 'webhook' } & LaneKey)
  | ({ kind: 'certificate' } & KeptCertificate);

/** What somebody is to get a mail about. */
export type NoticeKey = ProjectNotice | RequestNotice;

/** Opens of a project or by one of its share links, or files that came by an upload link, for the owner. */
export interface ProjectNotice {
  projectId: ProjectId;
  /** A link by its kind and id; absent for all opens of the project. */
  link?: { kind: 'share' | 'upload'; id: string } | undefined;
}

/** What arrived by a file request, for its owner; with the number of an upload, its receipt, for who sent it. */
export interface RequestNotice {
  /** The hash of the link's token. */
  requestHash: string;
  number?: number | undefined;
}

/** Mails that people are to get, one row for each subject. */
export interface MailNotices {
  /** Notes an event. The mail is due at `dueAt`, or when it already was. */
  note(key: NoticeKey, event: { at: Instant; dueAt: Instant }): Promise<void>;
  /**
   * Postpones a mail that is due now until another instant, and returns when its last event was;
   * nothing if no mail is due or another caller has it.
   */
  lease(key: NoticeKey, now: Date, until: Instant): Promise<Instant | undefined>;
  /** Ends a notice. If an event was noted after `lastAt`, its mail is due at `dueAt` instead. */
  end(key: NoticeKey, lastAt: Instant, dueAt: Instant): Promise<void>;
}

/** A version that left a project's history. */
export interface DroppedItem {
  kind: 'drop';
  projectId: ProjectId;
  version: number;
}

/** The certificate of a removed domain, kept for its name. */
export interface KeptCertificate {
  name: string;
  arn: string;
}
