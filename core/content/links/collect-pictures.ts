import { detectType } from '../detect-type.ts';
import type { IncomingFile } from '../prepare-upload.ts';
import { isTakenPicture, takenStem, takenTypes } from '../taken-pictures.ts';
import type { TextFile } from '../text-file.ts';

/** The first texts up to these limits are read, so that publishing many takes no longer. */
const readLimits = { files: 400, bytes: 8 * 1024 * 1024, fileBytes: 2 * 1024 * 1024 };

/** And for no longer: nothing that a stranger writes may hold a function. */
const readMs = 2000;

/** A picture on another site, and the first text that shows it. */
export interface RemotePicture {
  path: string;
  address: string;
}

/** Finds the pictures of a text that are on other sites, as its page reads it; none if that takes longer. */
export type PictureFinder = (text: TextFile, limitMs: number) => Promise<readonly string[]>;

/** Reads texts one after another, and collects the pictures that they show. */
export interface PictureNotes {
  /** Whether a file may name such pictures, and is to be read. */
  reads(file: { path: string; size: number }): boolean;
  note(path: string, bytes: Uint8Array): Promise<void>;
  found(): RemotePicture[];
}

export function pictureNotes(find: PictureFinder | undefined, limitMs = readMs): PictureNotes {
  const found = new Map<string, RemotePicture>();
  const left = { ...readLimits, ms: limitMs };
  return {
    reads: ({ path, size }) =>
      find !== undefined &&
      detectType(path) === 'markdown' &&
      left.files > 0 &&
      left.ms > 0 &&
      size <= Math.min(left.fileBytes, left.bytes),
    async note(path, bytes) {
      left.files -= 1;
      left.bytes -= bytes.length;
      if (find === undefined || !mayShowPictures(bytes)) return;
      const begun = performance.now();
      const text = { path, type: 'markdown', bytes, isWhole: true } as const;
      for (const address of await find(text, left.ms)) {
        if (!found.has(address)) found.set(address, { path, address });
      }
      left.ms -= performance.now() - begun;
    },
    found: () => [...found.values()],
  };
}

/** The pictures of which a publication brings no file itself, as one that was downloaded and comes again does. */
export function withoutBrought(
  pictures: readonly RemotePicture[],
  has: (path: string) => boolean,
): RemotePicture[] {
  // A file of this name leaves no room for a folder.
  if (has('_pictures')) return [];
  return pictures.filter(({ address }) => {
    const stem = takenStem(address);
    return !takenTypes.some((type) => has(`${stem}.${type}`));
  });
}

/** Most texts show no picture of another site, and are not set. */
function mayShowPictures(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  return text.includes('//') && /!\[|<img/i.test(text);
}

/** The files of an upload as a stream, and the pictures on other sites once all files have passed. */
export function collectPictures(
  find: PictureFinder | undefined,
  files: AsyncIterable<IncomingFile>,
) {
  const notes = pictureNotes(find);
  const brought = new Set<string>();
  async function* passing(): AsyncGenerator<IncomingFile> {
    for await (const file of files) {
      if (isTakenPicture(file.path) || file.path === '_pictures') brought.add(file.path);
      if (!notes.reads(file)) {
        yield file;
        continue;
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.content) chunks.push(Buffer.from(chunk));
      const bytes = Buffer.concat(chunks);
      await notes.note(file.path, bytes);
      yield { ...file, content: [bytes] };
    }
  }
  return {
    files: passing(),
    found: () => withoutBrought(notes.found(), (path) => brought.has(path)),
  };
}
