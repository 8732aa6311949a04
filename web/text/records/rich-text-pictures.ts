import { pictureAddress, type PictureRoom } from './picture-room.ts';
import { shownText } from './record-table.ts';

/** What the control words of a picture say (Rich Text Format 1.9.1, "Pictures"). */
export interface RichPicture {
  format: 'png' | 'jpeg' | 'wmf' | 'emf' | 'dib' | 'other';
  /** Its bytes, two hexadecimal digits each, in lines. */
  digits: string[];
  /** On paper, in twips, and how much of that is shown, in percent. */
  width: number;
  height: number;
  scaleX: number;
  scaleY: number;
}

export function newPicture(): RichPicture {
  return { format: 'other', digits: [], width: 0, height: 0, scaleX: 100, scaleY: 100 };
}

const formats: Readonly<Record<string, RichPicture['format']>> = {
  pngblip: 'png',
  jpegblip: 'jpeg',
  wmetafile: 'wmf',
  emfblip: 'emf',
  dibitmap: 'dib',
};

/** Takes a control word of a picture. */
export function describePicture(picture: RichPicture, word: string, number = 0): void {
  picture.format = formats[word] ?? picture.format;
  if (word === 'picwgoal') picture.width = number;
  if (word === 'pichgoal') picture.height = number;
  if (word === 'picscalex') picture.scaleX = number;
  if (word === 'picscaley') picture.scaleY = number;
}

const names: Readonly<Record<RichPicture['format'], string>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  wmf: 'WMF',
  emf: 'EMF',
  dib: 'DIB',
  other: 'another format',
};
const twipsPerPixel = 15;

/** A picture as an image of its size on paper, or a line that says why it is none. */
export function pictureMarkup(picture: RichPicture, room: PictureRoom): string {
  const digits = picture.digits.join('').replace(/[^\da-f]+/gi, '');
  // Four characters of base64 are three bytes.
  const isSmall = (digits.length * 2) / 3 <= room.characters;
  const image = isSmall ? imageOf(picture.format, bytesOf(digits)) : undefined;
  const address = image && pictureAddress(image, room);
  // A program that writes no bytes has nothing to show.
  if (digits === '') return '';
  if (address === undefined) {
    const why = isSmall ? 'is not shown here' : 'is too large to show here';
    return `<span class="absent">${shownText(`A picture (${names[picture.format]}) ${why}`)}</span>`;
  }
  const pixels = (twips: number, scale: number) =>
    Math.round((twips * scale) / 100 / twipsPerPixel);
  const size = [
    ['width', pixels(picture.width, picture.scaleX)],
    ['height', pixels(picture.height, picture.scaleY)],
  ] as const;
  const isSized = size.every(([, value]) => value >= 1 && value <= 20_000);
  const attributes = isSized ? size.map(([name, value]) => ` ${name}="${value}"`).join('') : '';
  return `<img src="${address}" alt="Picture"${attributes}>`;
}

function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from({ length: Math.floor(digits.length / 2) }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  );
}

/** Bitmaps have no header of a file; other bytes decide for themselves. */
function imageOf(format: RichPicture['format'], bytes: Uint8Array): Uint8Array | undefined {
  if (format === 'dib') return bitmapOf(bytes);
  return format === 'wmf' ? bitmapOf(bitmapIn(bytes)) : bytes;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
const headerBytes = 40;

/** A bitmap of Windows with the header of a file ([MS-WMF], section 2.2.2.9). */
function bitmapOf(dib: Uint8Array | undefined): Uint8Array | undefined {
  if (dib === undefined || dib.length <= headerBytes) return undefined;
  const view = viewOf(dib);
  if (view.getUint32(0, true) !== headerBytes) return undefined;
  const [bits, compression, used] = [
    view.getUint16(14, true),
    view.getUint32(16, true),
    view.getUint32(32, true),
  ];
  const colours = used > 0 || bits > 8 ? used : 2 ** bits;
  const masks = compression === 3 ? 12 : 0;
  const bytes = new Uint8Array(14 + dib.length);
  const head = viewOf(bytes);
  const start = 14 + headerBytes + masks + 4 * colours;
  if (start >= bytes.length) return undefined;
  bytes.set([0x42, 0x4d]);
  head.setUint32(2, bytes.length, true);
  head.setUint32(10, start, true);
  bytes.set(dib, 14);
  return bytes;
}

/** Records that draw a bitmap, and where it is in them ([MS-WMF], sections 2.3.1.2, 2.3.1.3 and 2.3.1.6). */
const bitmapRecords: ReadonlyMap<number, number> = new Map([
  [0x0940, 22],
  [0x0b41, 26],
  [0x0f43, 28],
]);
const mostRecords = 10_000;

/** The largest bitmap that a drawing of Windows draws: old programs keep each picture so. */
function bitmapIn(wmf: Uint8Array): Uint8Array | undefined {
  const view = viewOf(wmf);
  let largest: Uint8Array | undefined;
  // The header has nine words (section 2.3.2.2).
  for (let at = 18, left = mostRecords; at + 6 <= wmf.length && left > 0; left -= 1) {
    const size = 2 * view.getUint32(at, true);
    if (size < 6) break;
    const place = bitmapRecords.get(view.getUint16(at + 4, true));
    const dib = place === undefined ? undefined : wmf.subarray(at + place, at + size);
    if (dib !== undefined && dib.length > (largest?.length ?? 0)) largest = dib;
    at += size;
  }
  return largest;
}

const mark = Array.from('\\bin', (one) => one.charCodeAt(0));
/** More pictures stay as they are: each that is found costs steps beside its bytes. */
const mostInBytes = 1000;

/** The same text with pictures in digits where it has them as bytes, of which some end a line (`\bin`). */
export function withDigits(rtf: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let done = 0;
  for (
    let at = rtf.indexOf(0x5c);
    at !== -1 && parts.length < 2 * mostInBytes;
    at = rtf.indexOf(0x5c, at + 1)
  ) {
    if (at < done || !beginsBytes(rtf, at)) continue;
    const head = String.fromCharCode(...rtf.subarray(at + 4, at + 15));
    const [word, count = ''] = /^(\d{1,9}) ?/.exec(head) ?? [];
    if (word === undefined) continue;
    const start = at + 4 + word.length;
    const end = Math.min(rtf.length, start + Number(count));
    // A space ends the word before it.
    const digits = new Uint8Array(1 + 2 * (end - start)).fill(0x20, 0, 1);
    for (let from = start; from < end; from += 1) {
      const byte = rtf[from] ?? 0;
      digits[1 + 2 * (from - start)] = digitOf(byte >> 4);
      digits[2 + 2 * (from - start)] = digitOf(byte & 15);
    }
    parts.push(rtf.subarray(done, at), digits);
    done = end;
  }
  return parts.length === 0 ? rtf : joined([...parts, rtf.subarray(done)]);
}

function beginsBytes(rtf: Uint8Array, at: number): boolean {
  if (rtf[at + 1] !== mark[1] || !isDigit(rtf[at + mark.length])) return false;
  return mark.every((byte, index) => rtf[at + index] === byte);
}

const isDigit = (code = 0) => code >= 0x30 && code <= 0x39;

/** The code of a hexadecimal digit in ASCII. */
const digitOf = (value: number) => value + (value < 10 ? 48 : 87);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
