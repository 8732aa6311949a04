import type { AccountId, Instant, ProjectId } from '../contract/fields.ts';
import type { StoreId } from './content/content-keys.ts';
import type { TextFile } from './content/text-file.ts';
import type { ByteRange } from './visit/protocol/byte-range.ts';
import type { TextMarkup } from './visit/text-markup.ts';
import type { ServingRecord } from './visit/serving-record.ts';
import type { UploadJob } from './uploads/job.ts';
import type { UploadId } from './uploads/upload.ts';
import type { AddressAvailability, Claimant } from './projects/addresses/address.ts';
import type { Project, Publication, Version } from './projects/project.ts';

/** Which site a host serves. */
export interface SiteDirectory {
  /** Strongly consistent: what was published a moment ago is there. */
  get(host: string): Promise<ServingRecord | undefined>;
}

/** Bytes under immutable keys. */
export interface ContentStore {
  put(object: StoredObject): Promise<void>;
  /** Stores while `content` is read; at its end, and only if `isWanted` then says so, the object appears. */
  putLarge(
    object: Omit<StoredObject, 'bytes'>,
    content: AsyncIterable<Uint8Array>,
    isWanted: () => boolean,
  ): Promise<void>;
  /** `undefined` when there is no such object (it may have been deleted a moment ago). */
  get(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /** Removes every object under the prefix; none is left when it returns. */
  deletePrefix(prefix: string): Promise<void>;
  /** Removes these objects; one that is gone already is no failure. */
  deleteKeys(keys: readonly string[]): Promise<void>;
  /** Makes what a page shows of a text; a store without it keeps none. */
  renderText?(text: TextFile): Promise<TextMarkup>;
}

/** An object to store and the headers that storage itself answers with. */
export interface StoredObject {
  key: string;
  bytes: Uint8Array;
  contentType: string;
  contentDisposition?: string;
  /** Under which an edge that fetches the object itself can be told to forget it. */
  cacheTag: string;
}

/** Signs links by which a visitor fetches a large file straight from storage. */
export interface MediaLinks {
  /** An absolute URL path with its signature, valid until `until`. */
  sign(host: string, key: string, until: Date): Promise<string>;
}

/** The edge that keeps answers of published sites. */
export interface EdgeCache {
  /** Makes it forget everything that it keeps of a project. */
  forget(projectId: ProjectId): Promise<void>;
  /**
   * The same after `waitMs`, once no answer that was made of an older state can be on its way to
   * the edge any more: what it keeps afterwards is of now.
   */
  forgetStragglers(projectId: ProjectId, waitMs: number): Promise<void>;
}

/** Projects and what belongs to them. */
export interface ProjectStore {
  /** Notes that bytes of a version are about to be stored, so that they are found after a crash. */
  begin(intent: Intent): Promise<void>;
  /** Makes a version live with everything that must agree, or nothing of it. */
  publish(publication: Publication): Promise<'published' | NotPublished>;
  intent(intent: Pick<Intent, 'projectId' | 'store'>): Promise<Intent | undefined>;
  /** Gives an intent to one worker until `until`; `undefined` when another has it, or it is gone. */
  leaseIntent(
    intent: Pick<Intent, 'projectId' | 'store'>,
    at: Instant,
    until: Instant,
  ): Promise<Intent | undefined>;
  /** Looks at an intent again later. */
  postponeIntent(intent: Pick<Intent, 'projectId' | 'store'>, sweepAt: Instant): Promise<void>;
  /** Keeps an intent from becoming a version; false when it became one, or is gone. */
  seizeIntent(intent: Pick<Intent, 'projectId' | 'store'>, now: Date): Promise<boolean>;
  /** Forgets an intent whose bytes are gone. */
  endIntent(intent: Pick<Intent, 'projectId' | 'store'>): Promise<void>;
  get(projectId: ProjectId): Promise<Project | undefined>;
  /** Whether a removal that has begun is to be finished by `now`: until then the project can be brought back. */
  isRemovalDue(projectId: ProjectId, now: Date): Promise<boolean>;
  /** The kept version with this number. */
  version(projectId: ProjectId, version: number): Promise<Version | undefined>;
  /** Every version that is kept, newest first. */
  versions(projectId: ProjectId): Promise<Version[]>;
  /** A version that left the history, while its files are still to be removed. */
  dropped(projectId: ProjectId, version: number): Promise<Version | undefined>;
  endDrop(projectId: ProjectId, version: number): Promise<void>;
  /** Whether somebody may take an address now. */
  availability(host: string, claimant: Claimant, now: Date): Promise<AddressAvailability['kind']>;
  /** What should be done by `now`, oldest first, in pages. */
  due(now: Date): AsyncIterable<DueItem>;
  /** Takes the address away from visitors, if this project still holds it. */
  releaseHost(host: string, projectId: ProjectId): Promise<void>;
  /** Removes every row of a project but its purge and its intents, its own row last. */
  removeRows(projectId: ProjectId, claimHash: string | undefined): Promise<void>;
  /** Forgets a purge that was due by `now`; one that was asked for since then stays. */
  endPurge(projectId: ProjectId, now: Date): Promise<void>;
}

/** Why a publication did not happen: the address is held, or its intent was swept. */
export type NotPublished = 'slug-taken' | 'slug-reserved' | 'intent-gone';

/** Bytes of a version that are being stored. */
export interface Intent {
  projectId: ProjectId;
  store: StoreId;
  startedAt: Instant;
  /** After this nobody can still be storing, and the bytes are swept. */
  sweepAt: Instant;
  /** What a worker is to do with it. */
  job?: UploadJob | undefined;
  /** Set once nothing can become of it any more: its bytes are being removed. */
  seizedAt?: Instant | undefined;
}

/** Something whose time is over, or a purge whose time has come. */
export type DueItem =
  | { kind: 'project'; projectId: ProjectId }
  | { kind: 'purge'; projectId: ProjectId }
  | { kind: 'intent'; projectId: ProjectId; store: StoreId }
  | { kind: 'drop'; projectId: ProjectId; version: number }
  | { kind: 'upload'; uploadId: UploadId }
  | { kind: 'trim'; accountId: AccountId };
