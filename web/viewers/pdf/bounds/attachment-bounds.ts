/** What pdf.js reads of an attached file. */
interface AttachedFile {
  rawFilename: string;
  content?: unknown;
  /** Its content was too large to be sent. */
  isCut?: true;
}

/** Bytes of all files that are sent at once. The page keeps them, so that they can be saved. */
export const mostAttachedBytes = 100 * 1024 * 1024;

/** Removes the content of files for which there is no room left after the files before them. */
export function boundAttachments(files: readonly unknown[]): void {
  let left = mostAttachedBytes;
  for (const file of files) {
    if (!isAttachedFile(file) || !(file.content instanceof Uint8Array)) continue;
    const { length } = file.content;
    if (length <= left) {
      left -= length;
      continue;
    }
    file.content = null;
    file.isCut = true;
  }
}

function isAttachedFile(value: unknown): value is AttachedFile {
  return typeof value === 'object' && value !== null && 'rawFilename' in value;
}
