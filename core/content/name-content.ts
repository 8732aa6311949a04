import { isUtf8 } from 'node:buffer';
import { extensionFor } from './media-type.ts';

/** The first bytes of formats, after `offset` bytes; one character for each byte. */
const signatures: readonly { offset: number; begins: string; extension: string }[] = [
  { offset: 0, begins: '%PDF-', extension: 'pdf' },
  { offset: 0, begins: '\x89PNG\r\n', extension: 'png' },
  { offset: 0, begins: '\xff\xd8\xff', extension: 'jpg' },
  { offset: 0, begins: 'GIF8', extension: 'gif' },
  { offset: 8, begins: 'WEBP', extension: 'webp' },
  { offset: 8, begins: 'WAVE', extension: 'wav' },
  { offset: 4, begins: 'ftypavif', extension: 'avif' },
  { offset: 4, begins: 'ftyphei', extension: 'heic' },
  { offset: 4, begins: 'ftypM4A', extension: 'm4a' },
  { offset: 4, begins: 'ftypqt', extension: 'mov' },
  { offset: 4, begins: 'ftyp', extension: 'mp4' },
  { offset: 0, begins: '\x1aE\xdf\xa3', extension: 'webm' },
  { offset: 0, begins: 'OggS', extension: 'ogg' },
  { offset: 0, begins: 'ID3', extension: 'mp3' },
  { offset: 0, begins: 'fLaC', extension: 'flac' },
  { offset: 0, begins: 'glTF', extension: 'glb' },
];

/** Default types that say nothing about the content: those of a `Blob`, and of a text in `fetch`. */
const unspecific =
  /^(?:application\/(?:octet-stream|x-www-form-urlencoded)|text\/plain)?\s*(?:;|$)/i;

/** Tags by which browsers recognise HTML (WHATWG MIME Sniffing §7.1). */
const htmlBeginning =
  /^(?:<!--|<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)(?=[\t\n\f\r >]))/i;

/** HTML is recognised within this many first bytes. */
const beginningBytes = 1024;

/**
 * A name for a file that was sent without one: by its declared type, else by its first bytes. HTML
 * becomes a home page. A ZIP gets a name by which it is unpacked.
 */
export function nameForContent(bytes: Buffer, declaredType: string): string {
  const declared = unspecific.test(declaredType.trim()) ? undefined : extensionFor(declaredType);
  const extension = declared ?? binaryExtension(bytes) ?? textExtension(bytes);
  return extension === 'html' || extension === 'htm' ? 'index.html' : `file.${extension}`;
}

function binaryExtension(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 32).toString('latin1');
  if (head.startsWith('PK\x03\x04')) return zipExtension(bytes);
  return signatures.find(({ offset, begins }) => head.startsWith(begins, offset))?.extension;
}

/** Office documents are ZIPs too, and are shown as documents. */
function zipExtension(bytes: Buffer): string {
  if (!bytes.includes('[Content_Types].xml')) return 'zip';
  if (bytes.includes('word/document.xml')) return 'docx';
  if (bytes.includes('ppt/presentation.xml')) return 'pptx';
  return bytes.includes('xl/workbook.xml') ? 'xlsx' : 'zip';
}

function textExtension(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) return 'bin';
  const head = bytes
    .subarray(0, beginningBytes)
    .toString('utf8')
    .replace(/^\ufeff?[\t\n\f\r ]*/, '');
  if (htmlBeginning.test(head)) return 'html';
  if (/^(?:<\?xml[^>]*>\s*)?<svg[\s>]/i.test(head)) return 'svg';
  return 'txt';
}
