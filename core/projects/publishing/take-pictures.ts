import { daySeconds } from '../../../contract/limits.ts';
import type { PictureWarning } from '../../../contract/fields.ts';
import type { Plans } from '../../accounts/account.ts';
import type { AccountCaller } from '../../caller.ts';
import { type PreparedUpload, incomingFiles } from '../../content/prepare-upload.ts';
import {
  pictureNotes,
  type RemotePicture,
  withoutBrought,
} from '../../content/links/collect-pictures.ts';
import { takenStem, takenType } from '../../content/taken-pictures.ts';
import type { Counters } from '../../limits/counters.ts';
import type { ContentStore } from '../../ports.ts';
import { effectiveLimits } from '../quota.ts';
import { pictureWarning } from './picture-warning.ts';
import { workPool } from './work-pool.ts';

/** What an address was answered with, or in plain words why there is no picture. */
export type FetchedPicture = { bytes: Uint8Array } | { reason: string };

/** Pictures on other sites. */
export interface RemotePictures {
  /** Fetches from public addresses alone, whatever an answer redirects to. */
  get(address: string, limits: { maxBytes: number; totalMs: number }): Promise<FetchedPicture>;
}

/** The dependencies for taking pictures along. */
export interface TakePicturesDeps {
  pictures: RemotePictures;
  content: Pick<ContentStore, 'findPictures' | 'findSecrets'>;
  counters: Pick<Counters, 'count'>;
  plans: Plans;
  now(): Date;
}

/** For one publication. Storage sends larger files itself, without the sandbox that SVG needs. */
const most = { pictures: 100, fileBytes: 4_000_000, bytes: 16_000_000, atOnce: 6, eachMs: 8000 };

/** How long a publication waits for other sites, in milliseconds: a request has 29 seconds for everything. */
const waits = { request: 8000, worker: 60_000 };

/** Each publication that fetches counts as at least so many, because it also costs time. */
const leastCounted = 10;
const mostOfDay = 1000;

/** The pictures of one publication that were fetched. */
export interface TakenPictures {
  files: readonly { path: string; bytes: Uint8Array }[];
  warnings: readonly PictureWarning[];
}

/** The texts of a publication, and the room that its plan has beside its own files. */
export interface PictureSource {
  texts: AsyncIterable<{ path: string; size: number; bytes(): Promise<Uint8Array | undefined> }>;
  /** Whether the publication brings a file of this path itself, as one that was downloaded and comes again does. */
  has: (path: string) => boolean;
  room: { files: number; bytes: number };
  /** Who waits for other sites. */
  by: keyof typeof waits;
}

/** What a publication says about pictures. */
export interface PictureChoice {
  takePictures?: boolean | undefined;
}

/**
 * An upload with the pictures that its Markdown files show from other sites, as files of its own, if its publisher
 * wants them. What cannot be fetched is a warning, and never an error. Nobody sees Markdown set in a site.
 * @param replacedBytes what the account gets back when the version is live
 */
export async function withPictures(
  deps: TakePicturesDeps,
  caller: AccountCaller,
  upload: PreparedUpload,
  {
    takePictures,
    replacedBytes,
    by,
  }: PictureChoice & { replacedBytes: number; by: keyof typeof waits },
): Promise<PreparedUpload> {
  if (takePictures !== true || upload.home !== null || upload.texts === undefined) return upload;
  const room = pictureRoom(deps, caller, { ...upload, replacedBytes });
  const taken = await fetchPictures(deps, caller, {
    texts: upload.texts(),
    has: (path) => upload.has?.(path) === true,
    room,
    by,
  });
  const { files } = taken;
  const warnings = [...(upload.warnings ?? []), ...taken.warnings];
  return {
    ...upload,
    fileCount: upload.fileCount + files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes.length, upload.bytes),
    ...(warnings.length > 0 && { warnings }),
    async *files() {
      yield* upload.files();
      yield* incomingFiles(files);
    },
  };
}

/** The room that a plan has beside an upload. */
export function pictureRoom(
  deps: Pick<TakePicturesDeps, 'plans' | 'now'>,
  { account }: AccountCaller,
  { fileCount, bytes, replacedBytes }: { fileCount: number; bytes: number; replacedBytes: number },
): PictureSource['room'] {
  const limits = effectiveLimits(deps.plans, account, deps.now());
  const { maxFilesPerProject: files, maxStorageBytes: storage } = limits;
  const used = account.storageBytes - replacedBytes + bytes;
  return {
    files: files === -1 ? Infinity : files - fileCount,
    bytes: storage === -1 ? Infinity : storage - used,
  };
}

/** Fetches the pictures of texts; the account's day and the plan limit how many. */
export async function fetchPictures(
  deps: TakePicturesDeps,
  caller: AccountCaller,
  { texts, has, room, by }: PictureSource,
): Promise<TakenPictures> {
  const notes = pictureNotes(deps.content.findPictures);
  for await (const text of texts) {
    const bytes = notes.reads(text) ? await text.bytes() : undefined;
    if (bytes !== undefined) await notes.note(text.path, bytes);
  }
  const found = withoutBrought(notes.found(), has);
  if (found.length === 0) return { files: [], warnings: [] };
  const wanted = found.slice(0, most.pictures);
  const allowed = await countPictures(deps, caller, wanted.length);
  const work = new Fetching(deps, room, waits[by]);
  const pool = workPool({ count: most.atOnce, bytes: Infinity });
  for (const one of wanted.slice(0, allowed)) await pool.add(0, () => work.take(one));
  await pool.settled();
  work.leave(wanted.slice(allowed), `your account fetches at most ${mostOfDay} pictures a day`);
  work.leave(found.slice(most.pictures), `a publication fetches at most ${most.pictures}`);
  // In an order that does not depend on which site answers first.
  const left = found.flatMap((one) => {
    const reason = work.left.get(one.address);
    return reason === undefined ? [] : [{ ...one, reason }];
  });
  const files = work.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { files, warnings: pictureWarning(left, found.length) };
}

/** How many pictures an account may still fetch today. */
async function countPictures(
  deps: Pick<TakePicturesDeps, 'counters' | 'now'>,
  { account }: AccountCaller,
  wanted: number,
): Promise<number> {
  const events = Math.max(wanted, leastCounted);
  const key = `taken-pictures#${account.id}`;
  const total = await deps.counters.count(key, daySeconds, deps.now(), events);
  return Math.max(0, Math.min(wanted, mostOfDay - (total - events)));
}

/** The pictures of one publication while they are fetched. */
class Fetching {
  readonly files: { path: string; bytes: Uint8Array }[] = [];
  /** Why there is none, by its address. */
  readonly left = new Map<string, string>();
  readonly #deps: TakePicturesDeps;
  readonly #endsAt: number;
  #room: PictureSource['room'];

  constructor(deps: TakePicturesDeps, room: PictureSource['room'], waitMs: number) {
    this.#deps = deps;
    this.#room = { ...room, bytes: Math.min(room.bytes, most.bytes) };
    this.#endsAt = performance.now() + waitMs;
  }

  leave(pictures: readonly RemotePicture[], reason: string): void {
    for (const { address } of pictures) this.left.set(address, reason);
  }

  async take(picture: RemotePicture): Promise<void> {
    const reason = await this.#fetch(picture.address);
    if (reason !== undefined) this.leave([picture], reason);
  }

  /** Why there is no picture; `undefined` if there is one. */
  async #fetch(address: string): Promise<string | undefined> {
    const leftMs = this.#endsAt - performance.now();
    if (leftMs <= 0) return 'there was no time left for it';
    const maxBytes = Math.min(most.fileBytes, this.#room.bytes);
    if (this.#room.files <= 0 || maxBytes <= 0) return noRoom;
    const totalMs = Math.min(most.eachMs, leftMs);
    const answer = await this.#deps.pictures.get(address, { maxBytes, totalMs });
    return 'reason' in answer ? answer.reason : this.#keep(address, answer.bytes);
  }

  /** Others were fetched meanwhile, so the room is looked at again. */
  #keep(address: string, bytes: Uint8Array): string | undefined {
    const type = takenType(bytes);
    if (type === undefined) return 'it is no PNG, JPEG, GIF, WebP, AVIF or SVG picture';
    if (this.#room.files <= 0 || bytes.length > this.#room.bytes) return noRoom;
    const keys = this.#deps.content.findSecrets?.(bytes) ?? [];
    if (keys.length > 0) return 'it seems to contain a key';
    this.#room = { files: this.#room.files - 1, bytes: this.#room.bytes - bytes.length };
    this.files.push({ path: `${takenStem(address)}.${type}`, bytes });
    return undefined;
  }
}

const noRoom = `there is no room for it: the pictures of a publication have at most ${most.bytes / 1_000_000} MB, and the limits of the plan`;
