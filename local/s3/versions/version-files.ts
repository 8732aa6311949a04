import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readRecord } from '../objects/object-files.ts';
import { NULL_VERSION, StoredVersion } from './stored-version.ts';

/**
 * The file of a version. Its name has the version's id, which is chosen at the moment of publishing,
 * after the file was written. A version without an id has the name of its key only, so that the next
 * such version replaces it.
 */
export function versionFile(
  objectsDir: string,
  { key, versionId }: Pick<StoredVersion, 'key' | 'versionId'>,
): string {
  const name = createHash('sha256').update(key).digest('hex');
  return join(objectsDir, versionId === NULL_VERSION ? name : `${name}.${versionId}`);
}

/** Reads all versions of a directory. */
export function readVersions(objectsDir: string): StoredVersion[] {
  return readdirSync(objectsDir).map((name) => {
    const [, versionId = NULL_VERSION] = name.split('.');
    const stored = readRecord(join(objectsDir, name), z.record(z.string(), z.unknown()));
    return StoredVersion.parse({ ...stored, versionId });
  });
}
