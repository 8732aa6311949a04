import { declaredEncoding } from '../../content/declared-encoding.ts';
import { isText } from '../../content/is-text.ts';
import type { IncomingFile, PreparedUpload } from '../../content/prepare-upload.ts';
import { isTakenPicture } from '../../content/taken-pictures.ts';
import { isShownAsText, shownBytesOf, type TextFile } from '../../content/text-file.ts';

/** The files of an upload, and the text of its only file once they were read. */
interface CapturedText {
  files: AsyncIterable<IncomingFile>;
  text(): TextFile | undefined;
}

type UploadKind = Pick<PreparedUpload, 'type' | 'home' | 'mayBeText'>;

/** Passes the files of an upload on and keeps the beginning of a single text file. */
export function captureText(
  { type, home, mayBeText }: UploadKind,
  files: AsyncIterable<IncomingFile>,
): CapturedText {
  let text: TextFile | undefined;
  if (home !== null || (type === 'files' && mayBeText !== true)) return { files, text: () => text };
  async function* passing() {
    for await (const file of files) {
      const { path, size } = file;
      if (
        size === 0 ||
        isTakenPicture(path) ||
        (mayBeText !== true && !isShownAsText(type, file))
      ) {
        yield file;
        continue;
      }
      const most = shownBytesOf(path);
      const head = captureHead(file.content, most);
      yield { ...file, content: head.content };
      const bytes = head.bytes();
      // The same rule as for a file of a bundle: `kindOf` of `store-files.ts`.
      const isCode = isText(bytes) || declaredEncoding(path, bytes) !== undefined;
      if (mayBeText === true && !isCode) continue;
      const kind = mayBeText === true ? 'code' : type;
      text = { path, type: kind, bytes, isWhole: size <= most };
    }
  }
  return { files: passing(), text: () => text };
}

function captureHead(content: IncomingFile['content'], most: number) {
  const chunks: Uint8Array[] = [];
  let bufferedBytes = 0;
  async function* passing() {
    for await (const chunk of content) {
      // Copied: the source may reuse the chunk's buffer.
      const part = Buffer.from(chunk.subarray(0, most - bufferedBytes));
      if (part.length > 0) chunks.push(part);
      bufferedBytes += part.length;
      yield chunk;
    }
  }
  return { content: passing(), bytes: () => Buffer.concat(chunks) };
}
