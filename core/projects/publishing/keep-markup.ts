import { markupKey } from '../../content/content-keys.ts';
import type { IncomingFile } from '../../content/incoming-file.ts';
import type { PreparedUpload } from '../../content/prepare-upload.ts';
import { isTextFile, shownTextBytes, type TextFile } from '../../content/text-file.ts';
import type { ContentStore } from '../../ports.ts';
import { cacheTag } from '../../visit/protocol/cache-policy.ts';
import { encodeMarkup, markupRevision } from '../../visit/text-markup.ts';
import type { Version } from '../project.ts';
import type { OwnStore } from './own-store.ts';

/** Files on their way, and what of them a page will show as text once all have passed. */
export interface NotedText {
  files: AsyncIterable<IncomingFile>;
  text(): TextFile | undefined;
}

/** Lets the files of an upload pass and holds the beginning of the one file of text, where it is one. */
export function noteText(
  { type, home, fileCount }: Pick<PreparedUpload, 'type' | 'home' | 'fileCount'>,
  files: AsyncIterable<IncomingFile>,
): NotedText {
  let text: TextFile | undefined;
  if (home !== null || fileCount !== 1) return { files, text: () => text };
  async function* passing() {
    for await (const file of files) {
      const { path, size } = file;
      if (!isTextFile(type, path) || size === 0) {
        yield file;
        continue;
      }
      const head = holdingHead(file.content);
      yield { ...file, content: head.content };
      text = { path, type, bytes: head.bytes(), isWhole: size <= shownTextBytes };
    }
  }
  return { files: passing(), text: () => text };
}

function holdingHead(content: IncomingFile['content']) {
  const chunks: Uint8Array[] = [];
  let held = 0;
  async function* passing() {
    for await (const chunk of content) {
      // Chunks may be parts of a buffer that is used again.
      const part = Uint8Array.from(chunk.subarray(0, shownTextBytes - held));
      if (part.length > 0) chunks.push(part);
      held += part.length;
      yield chunk;
    }
  }
  return { content: passing(), bytes: () => Buffer.concat(chunks) };
}

/**
 * Makes what takes long of a text's page once, and keeps it beside the version's files. Without it
 * the page is made at every view.
 */
export async function storeMarkup(
  content: Pick<ContentStore, 'put' | 'renderText'>,
  { projectId, store }: OwnStore,
  text: TextFile | undefined,
): Promise<Pick<Version, 'markupRevision'>> {
  const markup = text && (await content.renderText?.(text));
  if (markup === undefined) return {};
  await content.put({
    key: markupKey(projectId, store),
    bytes: encodeMarkup(markup),
    contentType: 'application/gzip',
    cacheTag: cacheTag(projectId),
  });
  return { markupRevision };
}
