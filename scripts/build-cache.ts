import { daySeconds } from '../contract/limits.ts';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { InputDigests } from './input-digests.ts';

/** What a build was made from, stored beside its result. */
const BuildRecord = z.object({
  options: z.string(),
  /** Each input, with the digest of its content. */
  inputs: z.record(z.string(), z.string()),
  value: z.unknown(),
});

/** One build: a folder of files, and a JSON value. */
export interface Build {
  dir: string;
  /** Everything that it was made from. */
  inputs: string[];
  value: unknown;
}

/** A result that was just built. */
export interface NewBuild {
  name: string;
  /** Everything besides the inputs that the result depends on. */
  options: string;
  /** The folder with the result; it is moved into the cache. */
  draft: string;
  /** Files and folders that were read, relative to the root. Of a folder, the names inside count. */
  inputs: Iterable<string>;
  value?: unknown;
}

/** A build may still be in use by a running cloud. */
const keptMs = 7 * daySeconds * 1000;
const keptCount = 8;
/** A draft this old was abandoned. */
const abandonedMs = 3_600_000;
const draftPrefix = 'draft-';

/**
 * Results of builds, found again by the content of everything they were made from.
 *
 * A result is used only while each of its inputs has the content that it had when it was built. A result
 * whose inputs changed during the build is used by that start alone. A result is complete or absent: it
 * is made in a draft folder, which is renamed at the end. The first of two simultaneous builds wins.
 */
export class BuildCache {
  readonly #dir: string;
  readonly #inputs: InputDigests;

  constructor(root: string, dir: string) {
    this.#dir = dir;
    this.#inputs = new InputDigests(root);
    mkdirSync(dir, { recursive: true });
  }

  /** The latest result with these options whose inputs are unchanged. */
  find(name: string, options: string): Build | undefined {
    for (const { dir } of this.#builds(name)) {
      const record = readRecord(dir);
      if (record === undefined || record.options !== options) continue;
      if (!this.#isCurrent(dir, record.inputs)) continue;
      const now = new Date();
      utimesSync(dir, now, now);
      return toBuild(dir, record);
    }
    return undefined;
  }

  /** A new empty folder for a result, on the same file system as the cache. */
  draft(): string {
    const draft = path.join(this.#dir, `${draftPrefix}${process.pid}-${randomUUID()}`);
    mkdirSync(path.join(draft, 'made'), { recursive: true });
    return path.join(draft, 'made');
  }

  /** Stores a result and returns where it is now. */
  keep({ name, options, draft, inputs, value }: NewBuild): Build {
    const made = { options, inputs: this.#inputs.digestsOf(inputs), value: value ?? null };
    const isKnown = this.#inputs.wereUnchanged(Object.keys(made.inputs));
    const id = isKnown ? digestOf(JSON.stringify([options, made.inputs])) : randomUUID();
    const folder = path.dirname(draft);
    if (isKnown) writeFileSync(path.join(folder, 'record.json'), JSON.stringify(made));
    const finished = path.join(this.#dir, `${name}@${id}`);
    moveTo(finished, folder);
    this.#prune(name, finished);
    return toBuild(finished, made);
  }

  /** Deletes a draft that failed. */
  discard(draft: string): void {
    rmSync(path.dirname(draft), { recursive: true, force: true });
  }

  /**
   * Whether all inputs have the content of when the result was built. They are read only if one of them
   * was changed or replaced since they were found to be current before.
   */
  #isCurrent(dir: string, inputs: Record<string, string>): boolean {
    const file = path.join(dir, 'fingerprint');
    const fingerprint = this.#inputs.fingerprintOf(Object.keys(inputs));
    if (fingerprint !== undefined && readText(file) === fingerprint) return true;
    if (!this.#inputs.areCurrent(inputs)) return false;
    if (fingerprint !== undefined) writeFileSync(file, fingerprint);
    return true;
  }

  #builds(name: string): { dir: string; usedAt: number }[] {
    return this.#entries(`${name}@`).toSorted((a, b) => b.usedAt - a.usedAt);
  }

  #prune(name: string, current: string): void {
    const isOlder = (usedAt: number, ms: number) => Date.now() - usedAt > ms;
    const old = this.#builds(name)
      .filter(({ dir }) => dir !== current)
      .slice(keptCount - 1)
      .filter(({ usedAt }) => isOlder(usedAt, keptMs));
    const drafts = this.#entries(draftPrefix).filter(({ usedAt }) => isOlder(usedAt, abandonedMs));
    for (const { dir } of [...old, ...drafts]) {
      rmSync(dir, { recursive: true, force: true });
    }
  }

  #entries(prefix: string): Entry[] {
    return entriesOf(this.#dir).filter(({ dir }) => path.basename(dir).startsWith(prefix));
  }
}

interface Entry {
  dir: string;
  usedAt: number;
}

/** Another process may rename or delete an entry, or the folder, meanwhile. */
function entriesOf(folder: string): Entry[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((entry) => path.join(folder, entry))
    .map((dir) => ({ dir, usedAt: statSync(dir, { throwIfNoEntry: false })?.mtimeMs }))
    .flatMap(({ dir, usedAt }) => (usedAt === undefined ? [] : [{ dir, usedAt }]));
}

function toBuild(dir: string, { inputs, value }: z.infer<typeof BuildRecord>): Build {
  return { dir: path.join(dir, 'made'), inputs: Object.keys(inputs), value };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}

function readRecord(dir: string): z.infer<typeof BuildRecord> | undefined {
  const text = readText(path.join(dir, 'record.json'));
  return text === undefined ? undefined : BuildRecord.parse(JSON.parse(text));
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Renaming fails if another process has built the same meanwhile; both results are the same. */
function moveTo(finished: string, folder: string): void {
  try {
    renameSync(folder, finished);
  } catch (error) {
    if (!existsSync(finished)) throw error;
    rmSync(folder, { recursive: true, force: true });
  }
}
