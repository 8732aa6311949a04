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

/** A picture as an image of its size on paper, or a line that says why it is none. `room` is in characters. */
export function pictureMarkup(picture: RichPicture, room: number): string {
  const digits = picture.digits.join('').replace(/[^\da-f]+/gi, '');
  // Four characters of base64 are three bytes.
  const isSmall = (digits.length * 2) / 3 <= room;
  const image = isSmall ? imageOf(picture.format, Buffer.from(digits, 'hex')) : undefined;
  // A program that writes no bytes has nothing to show.
  if (digits === '') return '';
  if (image === undefined) {
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
  return `<img src="data:image/${image.type};base64,${image.bytes.toString('base64')}" alt="Picture"${attributes}>`;
}

interface Image {
  type: 'png' | 'jpeg' | 'bmp';
  bytes: Buffer;
}

/** The bytes decide: browsers show these and no others. */
function imageOf(format: RichPicture['format'], bytes: Buffer): Image | undefined {
  if (bytes.toString('latin1', 0, 4) === '\x89PNG') return { type: 'png', bytes };
  if (bytes.toString('latin1', 0, 2) === '\xff\xd8') return { type: 'jpeg', bytes };
  if (format === 'dib') return bitmapOf(bytes);
  return format === 'wmf' ? bitmapOf(bitmapIn(bytes)) : undefined;
}

const headerBytes = 40;

/** A bitmap of Windows with the header of a file ([MS-WMF], section 2.2.2.9). */
function bitmapOf(dib: Buffer | undefined): Image | undefined {
  if (dib === undefined || dib.length <= headerBytes || dib.readUInt32LE(0) !== headerBytes)
    return undefined;
  const [bits, compression, used] = [
    dib.readUInt16LE(14),
    dib.readUInt32LE(16),
    dib.readUInt32LE(32),
  ];
  const colours = used > 0 || bits > 8 ? used : 2 ** bits;
  const masks = compression === 3 ? 12 : 0;
  const head = Buffer.alloc(14);
  head.write('BM');
  head.writeUInt32LE(head.length + dib.length, 2);
  const start = head.length + headerBytes + masks + 4 * colours;
  if (start >= head.length + dib.length) return undefined;
  head.writeUInt32LE(start, 10);
  return { type: 'bmp', bytes: Buffer.concat([head, dib]) };
}

/** Records that draw a bitmap, and where it is in them ([MS-WMF], sections 2.3.1.2, 2.3.1.3 and 2.3.1.6). */
const bitmapRecords: ReadonlyMap<number, number> = new Map([
  [0x0940, 22],
  [0x0b41, 26],
  [0x0f43, 28],
]);
const mostRecords = 10_000;

/** The largest bitmap that a drawing of Windows draws: old programs keep each picture so. */
function bitmapIn(wmf: Buffer): Buffer | undefined {
  let largest: Buffer | undefined;
  // The header has nine words (section 2.3.2.2).
  for (let at = 18, left = mostRecords; at + 6 <= wmf.length && left > 0; left -= 1) {
    const size = 2 * wmf.readUInt32LE(at);
    if (size < 6) break;
    const place = bitmapRecords.get(wmf.readUInt16LE(at + 4));
    const dib = place === undefined ? undefined : wmf.subarray(at + place, at + size);
    if (dib !== undefined && dib.length > (largest?.length ?? 0)) largest = dib;
    at += size;
  }
  return largest;
}
