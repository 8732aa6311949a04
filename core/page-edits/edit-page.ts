import { headMarkup, openTag } from './head-markup.ts';
import type { PageHead } from './page-head.ts';
import { type HeadLayout, readHead, type Span } from './read-head.ts';

/** Text that takes the place of a span of a page; an empty span only gets something put there. */
interface Splice extends Span {
  text: string;
}

/**
 * A page with another head. Every byte that is not replaced stays as it is.
 *
 * Nothing is decoded and all that is put in is ASCII, so that it means the same in every encoding
 * that extends ASCII. A page in UTF-16 or ISO-2022-JP, where those bytes can be halves of other
 * characters, is left alone.
 */
export function editPage(bytes: Uint8Array, head: PageHead): Uint8Array {
  if (utf16Marks.some((mark) => startsWith(bytes, mark))) return bytes;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = source.toString('latin1');
  const layout = readHead(text, startsWith(bytes, utf8Mark) ? utf8Mark.length : 0);
  const all = splices(text, layout, head).toSorted((a, b) => a.start - b.start || a.end - b.end);
  const touched = source.subarray(0, Math.max(characterBytes, all.at(-1)?.end ?? 0));
  return touched.includes(nul) || touched.includes(escape) ? bytes : spliced(source, all);
}

const utf8Mark = [0xef, 0xbb, 0xbf];
const utf16Marks = [
  [0xfe, 0xff],
  [0xff, 0xfe],
];
/** Of the longest character; one of them is NUL where the encoding does not extend ASCII. */
const characterBytes = 4;
const nul = 0x00;
/** Begins a shift in ISO-2022-JP, after which any byte may be half a character. */
const escape = 0x1b;

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function splices(text: string, layout: HeadLayout, head: PageHead): Splice[] {
  const { early, late, title, descriptions } = layout;
  const parts = headMarkup(head, {
    title: title === undefined ? undefined : text.slice(title.start, title.end),
    hasDescription: descriptions.length > 0,
    hasNoIndex: layout.hasNoIndex,
    previewNames: layout.previewNames,
  });
  const all: Splice[] = [{ start: early, end: early, text: parts.added }];
  if (head.script !== undefined) {
    all.push({ start: late, end: late, text: openTag(head.script) });
  }
  if (title !== undefined && parts.title !== undefined) all.push({ ...title, text: parts.title });
  if (parts.description !== undefined) {
    const { description } = parts;
    all.push(...descriptions.map((span, at) => ({ ...span, text: at === 0 ? description : '' })));
  }
  return all;
}

function spliced(source: Buffer, inOrder: readonly Splice[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of inOrder) {
    pieces.push(source.subarray(at, start), Buffer.from(text, 'latin1'));
    at = end;
  }
  return Buffer.concat([...pieces, source.subarray(at)]);
}
