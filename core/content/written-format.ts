import { detectType } from './detect-type.ts';
import { marks, members, type WrittenFormat } from './format-marks.ts';
import { decidingBytes, hasNoOtherControls, isText } from './is-text.ts';
import { extensionOf, isHtml } from './media-type.ts';

/** Names of pictures and documents that are no text, and of those that people give to plain text as well. */
const neverText =
  /^(?:pdf|docx|dotx|docm|dotm|pptx|ppsx|pptm|odt|ott|odp|epub|ppt|png|jpe?g|gif|webp|heic)$/;
const textual = /^(?:do[ct][xm]|o[dt]t|pptx|epub)$/;
/** Names of archives in which members decide what they are. */
const zipped = /^(?:do[ct][xm]?|xl[st][xmb]?|p[po][tsm][xm]?|od[tsp]|epub|pdf|csv|tsv)$/;

/**
 * The format that the first bytes of a file have, where its name says another one: people and programs rename
 * files, and cameras write HEIC as `.jpg`. `undefined` where the name is right, and where nobody can tell.
 */
export function writtenFormat(path: string, bytes: Uint8Array): WrittenFormat | undefined {
  if (isHtml(path)) return undefined;
  const extension = extensionOf(path);
  const start = bytes.subarray(0, decidingBytes);
  const head = latin(start.subarray(0, 256));
  const found = marks.find(([mark]) => mark.test(head));
  // Scientific programs give TIFF names of their own, and few of these can be shown; two bytes are no proof.
  const isOfImage = found?.[1] === 'tif' || found?.[1] === 'jxl';
  if (isOfImage && detectType(path) !== 'image') return undefined;
  if (found !== undefined) return unless(extension, found);
  if (head.startsWith('PK\u0003\u0004'))
    return zipped.test(extension) ? zipFormat(extension, latin(start)) : undefined;
  return neverText.test(extension) && isProse(extension, start) ? 'doc' : undefined;
}

function isProse(extension: string, start: Uint8Array): boolean {
  const text = latin(start);
  if (text.includes('%PDF-') || !(isText(start) || hasNoOtherControls(start))) return false;
  return textual.test(extension) || /^\W*(?:<!doctype html|<html|\{\\rtf)/i.test(text);
}

const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

function unless<Format extends WrittenFormat>(
  extension: string,
  [, format, alike]: readonly [RegExp, Format, string],
): Format | undefined {
  return extension === format || alike.split(' ').includes(extension) ? undefined : format;
}

/** The first member that only one format has decides; without any that Office or e-books have, it is an archive. */
function zipFormat(extension: string, text: string): WrittenFormat | undefined {
  const names = membersIn(text);
  for (const name of names) {
    const found = members.find(([mark]) => mark.test(name));
    if (found !== undefined) return unless(extension, found);
  }
  return names.some((name) => officeMember.test(name)) ? undefined : 'zip';
}

const officeMember =
  /^(?:\[Content_Types\]|_rels\/|docProps\/|customXml\/|mimetype|META-INF\/|content\.xml)|\.(?:opf|x?html?)$/;

/** The names that the local headers hold (APPNOTE 4.3.7), `mimetype` with the type that follows it. */
function membersIn(text: string): string[] {
  return text
    .split('PK\u0003\u0004')
    .slice(1)
    .map((header) => {
      const length = header.charCodeAt(22) + 256 * header.charCodeAt(23);
      const name = header.slice(26, 26 + length);
      return name === 'mimetype' ? header.slice(26, 90) : name;
    });
}
