import { createHash } from 'node:crypto';
import type { UploadedFile } from '../../contract/fields.ts';

/**
 * A hash of the files in a request, with which the sender can detect data loss: the SHA-256 of a
 * single file; for several files, the SHA-256 of their lines `<sha256>  <path>`, sorted by path.
 */
export function receivedHash(files: readonly Pick<UploadedFile, 'name' | 'bytes'>[]): string {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return sha256(only.bytes);
  const lines = files
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, bytes }) => `${sha256(bytes)}  ${name}\n`);
  return sha256(lines.join(''));
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
