import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AccountArchive } from '../contract/account-export.ts';
import { contentHasher } from '../core/content/content-keys.ts';
import { type ObjectFacts, objectName } from '../core/transfer/object-name.ts';

/** A folder that holds an export: `export.json`, and each content once as `objects/<hash>-<size>`. */
export interface ExportFolder {
  /** Whether a content is there, whole and right. */
  holds(object: ObjectFacts): Promise<boolean>;
  /** Keeps a content, which appears at its end only; false when it is not what it should be. */
  keep(object: ObjectFacts, content: AsyncIterable<Uint8Array>): Promise<boolean>;
  read(object: ObjectFacts): AsyncIterable<Uint8Array>;
  writeArchive(archive: AccountArchive): Promise<void>;
  /** @throws ZodError, and what reading throws */
  readArchive(): Promise<AccountArchive>;
}

/** The export that is, or is to be, in the folder `root`. */
export function exportFolder(root: string): ExportFolder {
  const archiveFile = path.join(root, 'export.json');
  const fileOf = (object: ObjectFacts) => path.join(root, 'objects', objectName(object));
  const read = (object: ObjectFacts) => createReadStream(fileOf(object));
  return {
    read,
    async holds(object) {
      const found = await stat(fileOf(object)).catch(() => undefined);
      if (found?.size !== object.size) return false;
      return isRight(object, read(object));
    },
    async keep(object, content) {
      const file = fileOf(object);
      await mkdir(path.dirname(file), { recursive: true });
      let right = false;
      const checked = async function* () {
        right = yield* passing(object, content);
      };
      await pipeline(checked, createWriteStream(`${file}.part`));
      if (right) await rename(`${file}.part`, file);
      return right;
    },
    async writeArchive(archive) {
      await mkdir(root, { recursive: true });
      // It holds hashes of passwords.
      await writeFile(`${archiveFile}.new`, JSON.stringify(archive, undefined, 1), { mode: 0o600 });
      await rename(`${archiveFile}.new`, archiveFile);
    },
    async readArchive() {
      return AccountArchive.parse(JSON.parse(await readFile(archiveFile, 'utf8')));
    },
  };
}

async function isRight(object: ObjectFacts, content: AsyncIterable<Uint8Array>): Promise<boolean> {
  const passed = passing(object, content);
  for (;;) {
    const step = await passed.next();
    if (step.done === true) return step.value;
  }
}

/** Gives a content on, and at its end whether it was the right one. */
async function* passing(
  { size, hash }: ObjectFacts,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, boolean> {
  const hasher = contentHasher();
  let bytes = 0;
  for await (const chunk of content) {
    hasher.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  return bytes === size && hasher.digest() === hash;
}
