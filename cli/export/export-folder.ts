import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AccountExport } from '../../contract/account-export.ts';
import { type ObjectFacts, objectName } from '../../core/transfer/exported-files.ts';
import { nameOfHash } from '../local-file.ts';
import { folderWithin, replaceJson } from '../replace-file.ts';

/** A folder with an export: `export.json`, and each distinct file once as `objects/<hash>-<size>`. */
export interface ExportFolder {
  /** Whether the file is there with the right size and hash. */
  holds(object: ObjectFacts): Promise<boolean>;
  /** Writes a file. It appears only when it is complete; false if its size or hash is wrong. */
  write(object: ObjectFacts, content: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Where the file is. */
  pathOf(object: ObjectFacts): string;
  read(object: ObjectFacts): AsyncIterable<Uint8Array>;
  writeArchive(archive: AccountExport): Promise<void>;
  /** The text of `export.json`. @throws what reading throws */
  readArchive(): Promise<string>;
}

/** The export in the folder `root`, which need not exist yet. */
export function exportFolder(root: string): ExportFolder {
  const archiveFile = path.join(root, 'export.json');
  const fileOf = (object: ObjectFacts) => {
    const name = objectName(object);
    // The service that names it may be somebody else's, and must not choose the folder.
    if (!/^[\w-]+$/.test(name)) throw new Error(`No file of an export: ${name}.`);
    return path.join(root, 'objects', name);
  };
  const read = (object: ObjectFacts) => createReadStream(fileOf(object));
  return {
    pathOf: fileOf,
    read,
    async holds(object) {
      const found = await stat(fileOf(object)).catch(() => undefined);
      if (found?.size !== object.size) return false;
      return isIntact(object, read(object));
    },
    async write(object, content) {
      const file = fileOf(object);
      await folderWithin(root, 'objects');
      // Another export into the same folder writes its own.
      const part = `${file}.${process.pid}.part`;
      await rm(part, { force: true });
      let intact = false;
      const checked = async function* () {
        intact = yield* verifyContent(object, content);
      };
      await pipeline(checked, createWriteStream(part, { flags: 'wx' }));
      if (intact) await rename(part, file);
      return intact;
    },
    async writeArchive(archive) {
      await mkdir(root, { recursive: true });
      // Only its owner may read the file: it holds hashes of passwords.
      await replaceJson(archiveFile, archive, 0o600);
    },
    readArchive: () => readFile(archiveFile, 'utf8'),
  };
}

async function isIntact(object: ObjectFacts, content: AsyncIterable<Uint8Array>): Promise<boolean> {
  const verified = verifyContent(object, content);
  for (;;) {
    const step = await verified.next();
    if (step.done === true) return step.value;
  }
}

/** Passes the content on. Returns whether its size and hash are right. */
async function* verifyContent(
  object: ObjectFacts,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, boolean> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  return bytes === object.size && nameOfHash(hash) === object.hash;
}
