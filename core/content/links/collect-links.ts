import { extensionOf, isHtml } from '../media-type.ts';
import type { IncomingFile } from '../prepare-upload.ts';
import { sharedTime } from '../../run-with-timeout.ts';
import type { RemotePicture } from './collect-pictures.ts';
import type { PageFacts, SiteLink } from './page-links.ts';

/**
 * Links are read from the first files up to these limits, so that publishing a large site takes no
 * longer.
 */
const readLimits = {
  files: 400,
  bytes: 8 * 1024 * 1024,
  fileBytes: 512 * 1024,
  /** Counted each time that they occur: to resolve one takes some ten microseconds. */
  references: 50_000,
  links: 10_000,
};

/** And for no longer: nothing that a stranger writes may hold a function. */
const readMs = 5000;

/** A reference, and the first file that has it. */
export interface FoundLink extends SiteLink {
  file: string;
}

/** The references of a site's pages and style sheets. */
export interface FoundLinks {
  links: readonly FoundLink[];
  /** Facts about its pages, by path. */
  pages: ReadonlyMap<string, Omit<PageFacts, 'links'>>;
  /** The pictures of a bundle's texts that are on other sites. */
  pictures?: readonly RemotePicture[];
}

/** The files of an upload as a stream, and their references once all files have passed. */
export interface CollectedLinks {
  files: AsyncIterable<IncomingFile>;
  found(): FoundLinks;
}

/** Passes the files of a site on and reads the references of its pages and style sheets; a bundle has none. */
export function collectLinks(
  kind: 'site' | 'bundle',
  files: AsyncIterable<IncomingFile>,
  limitMs = readMs,
): CollectedLinks {
  if (kind === 'bundle') return { files, found: () => ({ links: [], pages: new Map() }) };
  const links = new Map<string, FoundLink>();
  const pages = new Map<string, Omit<PageFacts, 'links'>>();
  const left = { ...readLimits };
  const time = sharedTime(limitMs);
  async function note(path: string, text: string) {
    // Loaded only when there is a page: it imports an HTML parser.
    const { readPage, readStyleSheet } = await import('./page-links.ts');
    const read = time.run(() =>
      isHtml(path) ? readPage(text, path) : { links: readStyleSheet(text, path) },
    );
    if (read === undefined) return;
    left.references -= read.links.length;
    if ('isShell' in read) {
      const { links: _, ...facts } = read;
      pages.set(path, facts);
    }
    for (const link of read.links) {
      const key = `${link.kind} ${link.path}`;
      if (links.size < readLimits.links && !links.has(key)) links.set(key, { ...link, file: path });
    }
  }
  async function* passing(): AsyncGenerator<IncomingFile> {
    for await (const file of files) {
      if (!isRead(file, left)) {
        yield file;
        continue;
      }
      left.files -= 1;
      left.bytes -= file.size;
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.content) chunks.push(Buffer.from(chunk));
      const bytes = Buffer.concat(chunks);
      await note(file.path, bytes.toString());
      yield { ...file, content: [bytes] };
    }
  }
  return { files: passing(), found: () => ({ links: [...links.values()], pages }) };
}

function isRead(
  { path, size }: IncomingFile,
  left: { files: number; bytes: number; references: number },
): boolean {
  if (!isHtml(path) && extensionOf(path) !== 'css') return false;
  return (
    left.files > 0 && left.references > 0 && size <= Math.min(readLimits.fileBytes, left.bytes)
  );
}
