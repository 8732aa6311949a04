import { crc32 } from 'node:zlib';
import { extraId } from './archive-extra.ts';
import { fieldsAt } from './archive-fields.ts';

const utf8Flag = 0x0800;
const cp437High =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * The name of an entry as text; undefined when flag bit 11 promises UTF-8 and the bytes are not.
 *
 * Without the flag the standard says CP437, but macOS and many libraries write UTF-8 and forget
 * the flag; CP437 text with accents is practically never valid UTF-8.
 */
export function decodeName(raw: Uint8Array, flags: number): string | undefined {
  const name = strictUtf8(raw);
  return name !== undefined || (flags & utf8Flag) !== 0 ? name : cp437(raw);
}

/**
 * Whether the Info-ZIP Unicode Path field, where there is one, says the same name as the header.
 *
 * Readers differ in which of the two they believe, so an entry with two names is a disguise.
 */
export function unicodePathAgrees(
  name: string,
  raw: Uint8Array,
  extra: ReadonlyMap<number, Uint8Array>,
): boolean {
  const field = extra.get(extraId.unicodePath);
  if (field === undefined) return true;
  if (field.length < 5 || field[0] !== 1) return false;
  const sameHeaderName = fieldsAt(field, 1, 4).u32(0) === crc32(raw);
  return sameHeaderName && strictUtf8(field.subarray(5))?.normalize() === name.normalize();
}

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function cp437(bytes: Uint8Array): string {
  const character = (byte: number) =>
    byte < 0x80 ? String.fromCharCode(byte) : (cp437High[byte - 0x80] ?? '');
  return Array.from(bytes, character).join('');
}
