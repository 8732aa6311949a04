import { isUtf8 } from 'node:buffer';
import { isNearlyUtf8 } from './guess-encoding.ts';
import { beginsAsUtf8, decidingBytes, hasNoOtherControls } from './is-text.ts';
import { mediaType } from './media-type.ts';

/**
 * The encoding that a text file declares, other than UTF-8: by a byte order mark of UTF-16, by the
 * `<meta>` of a page, by the declaration of XML and SVG, or by the `@charset` of a style sheet. The name is one
 * that `TextDecoder` takes. `undefined` for UTF-8, for no or an unknown declaration, and where letters
 * beyond ASCII are UTF-8 whatever the file says.
 */
export function declaredEncoding(path: string, bytes: Uint8Array): string | undefined {
  const type = mediaType(path);
  if (!type.endsWith('charset=utf-8')) return undefined;
  const start = bytes.subarray(0, decidingBytes);
  const marked = markedEncoding(start);
  if (marked !== undefined) return marked === 'utf-8' ? undefined : marked;
  const encoding = encodingNamed(labelOf(type, Buffer.from(start).toString('latin1')));
  const isOther = encoding !== undefined && encoding !== 'utf-8';
  return isOther && !hasUtf8Letters(start) ? encoding : undefined;
}

/**
 * Whether a text file is in another encoding than UTF-8: by what it declares, or by letters that are no UTF-8.
 * Scripts, styles and texts of a site in an older encoding declare nothing: browsers read the first two as the
 * page that loads them (HTML, "fetch a classic script"; CSS Syntax, "determine the fallback encoding").
 */
export function hasOwnEncoding(path: string, bytes: Uint8Array): boolean {
  return declaredEncoding(path, bytes) !== undefined || hasOtherLetters(path, bytes);
}

function hasOtherLetters(path: string, bytes: Uint8Array): boolean {
  if (!mediaType(path).endsWith('charset=utf-8') || isUtf8(bytes)) return false;
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const letters = bytes.subarray(first, first + decidingBytes);
  return hasNoOtherControls(bytes.subarray(0, decidingBytes)) && !isNearlyUtf8(letters);
}

/** By the first bytes: a byte order mark (Encoding, "BOM sniff"), or `<?` of XML in UTF-16 (XML appendix F). */
function markedEncoding(start: Uint8Array): string | undefined {
  const hex = Buffer.from(start.subarray(0, 4)).toString('hex');
  if (hex.startsWith('efbbbf')) return 'utf-8';
  if (hex.startsWith('fffe') || hex === '3c003f00') return 'utf-16le';
  return hex.startsWith('feff') || hex === '003c003f' ? 'utf-16be' : undefined;
}

const xmlDeclaration = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i;
const charsetRule = /^@charset "([\w.:-]{1,40})";/;

function labelOf(type: string, text: string): string | undefined {
  if (type.startsWith('text/css')) return charsetRule.exec(text)?.[1];
  const isPage = type.startsWith('text/html');
  if (!isPage && !/[/+]xml/.test(type)) return undefined;
  return (isPage ? labelOfPage(text) : undefined) ?? xmlDeclaration.exec(text)?.[1];
}

/** The first declaration among the tags of a page (HTML, "prescan a byte stream to determine its encoding"). */
function labelOfPage(text: string): string | undefined {
  const [head = ''] = text.replaceAll(/<!--[^]*?(?:-->|$)/g, '').split(/<body[\s>]/i, 1);
  for (const [tag] of head.matchAll(/<meta[\s/][^<>]{0,500}>/gi)) {
    const withoutContent = tag.replace(/\bcontent\s*=\s*(?:"[^"]*"|'[^']*')/i, '');
    const own = /[\s/"']charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(withoutContent)?.[1];
    const isType = /http-equiv\s*=\s*["']?\s*content-type/i.test(tag);
    const inType = isType ? /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(tag)?.[1] : undefined;
    if ((own ?? inType) !== undefined) return own ?? inType;
  }
  return undefined;
}

/** A declaration in ASCII cannot be in UTF-16 (HTML, the same algorithm): browsers read UTF-8 then. */
function encodingNamed(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return undefined;
  }
}

function hasUtf8Letters(start: Uint8Array): boolean {
  return start.some((byte) => byte >= 0x80) && beginsAsUtf8(start);
}
