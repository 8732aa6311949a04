import type { Instant, ProjectId } from '../contract/fields.ts';
import type { ByteRange } from './visit/byte-range.ts';
import type { ServingRecord } from './visit/serving-record.ts';
import type { Project, Publication } from './projects/project.ts';

/** Which site a host serves. */
export interface SiteDirectory {
  /** Strongly consistent: what was published a moment ago is there. */
  get(host: string): Promise<ServingRecord | undefined>;
}

/** Bytes under immutable keys. */
export interface ContentStore {
  put(object: StoredObject): Promise<void>;
  /** `undefined` when there is no such object (it may have been deleted a moment ago). */
  get(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  /** Removes every object under the prefix; none is left when it returns. */
  deletePrefix(prefix: string): Promise<void>;
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

/** Projects and what belongs to them. */
export interface ProjectStore {
  /** Notes that bytes of a version are about to be stored, so that they are found after a crash. */
  begin(intent: Intent): Promise<void>;
  /** Makes a version live with everything that must agree, or nothing of it. */
  publish(publication: Publication): Promise<'published' | 'slug-taken' | 'intent-gone'>;
  /** Forgets an intent whose bytes are gone. */
  endIntent(intent: Pick<Intent, 'projectId' | 'version'>): Promise<void>;
  get(projectId: ProjectId): Promise<Project | undefined>;
  /** What should be gone by `now`, oldest first, in pages. */
  due(now: Date): AsyncIterable<DueItem>;
  /** Reserves an expired project for removal; false when it is no longer expired. */
  claimForRemoval(projectId: ProjectId, now: Date): Promise<boolean>;
  /** Takes the address away from visitors, if this project still holds it. */
  releaseHost(host: string, projectId: ProjectId): Promise<void>;
  /** Removes every row of a project, its own row last. */
  removeRows(projectId: ProjectId, claimHash: string | undefined): Promise<void>;
}

/** Bytes of a version that are being stored. */
export interface Intent {
  projectId: ProjectId;
  version: number;
  startedAt: Instant;
  /** After this nobody can still be storing, and the bytes are swept. */
  sweepAt: Instant;
}

/** Something whose time is over. */
export type DueItem =
  | { kind: 'project'; projectId: ProjectId }
  | { kind: 'intent'; projectId: ProjectId; version: number };
