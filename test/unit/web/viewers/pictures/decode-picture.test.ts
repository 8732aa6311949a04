import { deflateSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, jest, test } from '@jest/globals';
import { decodeHeic } from '../../../../../web/viewers/pictures/decode-heic.ts';
import { decodeJpx } from '../../../../../web/viewers/pictures/decode-jpx.ts';
import { decodePicture } from '../../../../../web/viewers/pictures/decode-picture.ts';
import { turnPixels } from '../../../../../web/viewers/pictures/pixels.ts';
import {
  aHeic,
  aJpegHead,
  aJpx,
  aPsd,
  aTiff,
  type TiffPage,
} from '../../../../fixtures/visits/sample-pictures.ts';

const request = (name: string, bytes: Buffer, page = 0) => ({
  name,
  bytes: Uint8Array.from(bytes),
  decoder: '',
  page,
});
const open = (name: string, bytes: Buffer, page = 0) => decodePicture(request(name, bytes, page));

async function coloursOf(name: string, bytes: Buffer): Promise<number[][]> {
  const { picture } = await open(name, bytes);
  if (picture instanceof Uint8Array) throw new Error('a JPEG');
  return Array.from({ length: picture.rgba.length / 4 }, (_, at) => [
    ...picture.rgba.subarray(4 * at, 4 * at + 4),
  ]);
}

/** A TIFF of one row. */
const row = (
  width: number,
  data: TiffPage['data'],
  [bits, colours, samples]: readonly [bits: number, colours: number, samples: number],
  tags: TiffPage['tags'] = {},
) =>
  aTiff({
    width,
    height: 1,
    data,
    tags: { 258: [bits], 262: [colours], 277: [samples], ...tags },
  });
const floats = (...values: number[]) => Buffer.from(new Float32Array(values).buffer);
const shorts = (...values: number[]) => Buffer.from(new Int16Array(values).buffer);
const grey = (value: number) => [value, value, value, 255];

test.each<[string, Buffer, number[][]]>([
  [
    'its bits from the lowest',
    row(3, Buffer.from([0b0000_0001, 0b1100_0000, 0b1111_0000]), [8, 1, 1], { 266: [2] }),
    [grey(128), grey(3), grey(15)],
  ],
  [
    'the inks of printers',
    row(3, Buffer.from([0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255]), [8, 5, 4]),
    [
      [255, 255, 255, 255],
      [255, 0, 0, 255],
      [0, 0, 0, 255],
    ],
  ],
  [
    'CIELAB with signed colours',
    row(3, Buffer.from([255, 0, 0, 138, 81, 70, 0, 0, 0]), [8, 8, 3]),
    [
      [255, 255, 255, 255],
      [255, 0, 0, 255],
      [0, 0, 0, 255],
    ],
  ],
  [
    'CIELAB of ICC',
    row(2, Buffer.from([255, 128, 128, 138, 209, 198]), [8, 9, 3]),
    [
      [255, 255, 255, 255],
      [255, 0, 0, 255],
    ],
  ],
  [
    'grey of four bits',
    row(3, Buffer.from([0x0f, 0x80]), [4, 1, 1]),
    [grey(0), grey(255), grey(136)],
  ],
  ['white that is 0', row(2, Buffer.from([0, 255]), [8, 0, 1]), [grey(255), grey(0)]],
  ['twelve bits of a microscope', row(2, shorts(0, 4000), [16, 1, 1]), [grey(0), grey(255)]],
  [
    'heights below and above the sea',
    row(3, shorts(-100, 0, 100), [16, 1, 1], { 339: [2] }),
    [grey(0), grey(128), grey(255)],
  ],
  [
    'measurements as fractions',
    row(3, floats(10, 30, Number.NaN), [32, 1, 1], { 339: [3] }),
    [grey(0), grey(255), grey(0)],
  ],
  [
    'fractions of eight bytes',
    row(2, Buffer.from(new Float64Array([0.5, 1]).buffer), [64, 1, 1], { 339: [3] }),
    [grey(128), grey(255)],
  ],
  [
    'colours as fractions of eight bytes',
    row(1, Buffer.from(new Float64Array([1, 0.5, 0]).buffer), [64, 2, 3], { 339: [3] }),
    [[255, 128, 0, 255]],
  ],
  [
    'three planes one behind the other',
    row(2, [Buffer.from([1, 2]), Buffer.from([3, 4]), Buffer.from([5, 6])], [8, 2, 3], {
      284: [2],
    }),
    [
      [1, 3, 5, 255],
      [2, 4, 6, 255],
    ],
  ],
  [
    'a fourth number that is no opacity',
    row(1, Buffer.from([1, 2, 3, 0]), [8, 2, 4], { 338: [0] }),
    [[1, 2, 3, 255]],
  ],
  [
    'a fourth number that is opacity',
    row(1, Buffer.from([1, 2, 3, 7]), [8, 2, 4], { 338: [2] }),
    [[1, 2, 3, 7]],
  ],
])('a TIFF with %s has its colours', async (_, bytes, colours) => {
  const close = (await coloursOf('a.tif', bytes)).map((colour) =>
    colour.map((value) => expect.closeTo(value, -0.7)),
  );
  expect(colours).toEqual(close);
});

test('each page of a TIFF can be opened, and previews and masks are none', async () => {
  const page = (value: number, kind: number): TiffPage => ({
    width: 1,
    height: 1,
    data: Buffer.from([value]),
    tags: { 254: [kind], 258: [8], 262: [1], 277: [1] },
  });
  const bytes = aTiff(page(1, 1), page(50, 2), page(60, 2), page(4, 4));
  const opened = await Promise.all([0, 1].map((at) => open('a.tiff', bytes, at)));
  expect(opened).toMatchObject([
    { pages: 2, picture: { rgba: { 0: 50 } } },
    { pages: 2, picture: { rgba: { 0: 60 } } },
  ]);
  await expect(open('a.tiff', bytes, 2)).rejects.toThrow(/damaged/);
});

test.each<[string, (bytes: Buffer) => void]>([
  [
    'a directory that names itself as the next one',
    (bytes) => bytes.writeUInt32LE(bytes.readUInt32LE(4), bytes.length - 4),
  ],
  [
    'more values than the file has bytes',
    (bytes) => bytes.writeUInt32LE(0xff_ff_ff_ff, bytes.readUInt32LE(4) + 2 + 4),
  ],
])('a TIFF with %s is refused at once', async (_, damage) => {
  const one = aTiff({
    width: 1,
    height: 1,
    data: Buffer.from([1]),
    tags: { 258: [8], 262: [1], 277: [1] },
  });
  damage(one);
  await expect(open('a.tiff', one)).rejects.toThrow(/damaged|cannot/);
});

test('a TIFF whose compression is not known says so, and is not black', async () => {
  const packed = row(1, Buffer.from([1]), [8, 1, 1], { 259: [34_925] });
  await expect(open('a.tif', packed)).rejects.toThrow(/compression/);
});

test('a picture is turned as its orientation says', () => {
  // The letters of `abc` over `def`.
  const rgba = new Uint8ClampedArray([97, 98, 99, 100, 101, 102].flatMap(grey));
  const seen = (orientation: number) => {
    const { width, rgba: turned } = turnPixels({ width: 3, height: 2, rgba }, orientation);
    const letters = String.fromCodePoint(...turned.filter((_, at) => at % 4 === 0));
    return letters.match(new RegExp(`.{${width}}`, 'g'));
  };
  expect([1, 2, 3, 4, 5, 6, 7, 8, 9].map(seen)).toEqual([
    ['abc', 'def'],
    ['cba', 'fed'],
    ['fed', 'cba'],
    ['def', 'abc'],
    ['ad', 'be', 'cf'],
    ['da', 'eb', 'fc'],
    ['fc', 'eb', 'da'],
    ['cf', 'be', 'ad'],
    ['abc', 'def'],
  ]);
});

test('a TIFF says how it is turned', async () => {
  const bytes = row(1, Buffer.from([1]), [8, 1, 1], { 274: [6] });
  expect(await open('a.tif', bytes)).toMatchObject({ orientation: 6 });
});

const plane = (...values: number[]) => Buffer.from(values);
const noPicture = Buffer.from('8BIM\x04\x21\0\0\0\0\0\x05\0\0\0\x01\0\0', 'latin1');

test.each<[string, Parameters<typeof aPsd>, number[][]]>([
  [
    'red, green, blue and opacity',
    [
      { width: 2, height: 1, mode: 3, bits: 8 },
      [plane(1, 2), plane(3, 4), plane(5, 6), plane(255, 9)],
    ],
    [
      [1, 3, 5, 255],
      [2, 4, 6, 9],
    ],
  ],
  [
    'packed rows',
    [
      { width: 2, height: 2, mode: 3, bits: 8 },
      [plane(1, 2, 3, 4), plane(5, 6, 7, 8), plane(9, 10, 11, 12)],
      { isPacked: true },
    ],
    [
      [1, 5, 9, 255],
      [2, 6, 10, 255],
      [3, 7, 11, 255],
      [4, 8, 12, 255],
    ],
  ],
  [
    'inks',
    [{ width: 1, height: 1, mode: 4, bits: 8 }, [plane(255), plane(0), plane(0), plane(255)]],
    [[255, 0, 0, 255]],
  ],
  [
    'a selection that somebody saved beside a layer',
    [
      { width: 1, height: 1, mode: 1, bits: 8 },
      [plane(9), plane(0)],
      { layers: Buffer.from([0, 0, 0, 2, 0, 1]) },
    ],
    [grey(9)],
  ],
  [
    'an opacity beside a layer',
    [
      { width: 1, height: 1, mode: 1, bits: 8 },
      [plane(9), plane(7)],
      { layers: Buffer.from([0, 0, 0, 2, 0xff, 0xff]) },
    ],
    [[9, 9, 9, 7]],
  ],
  [
    'sixteen bits of grey',
    [{ width: 2, height: 1, mode: 1, bits: 16 }, [plane(0, 255, 200, 0)]],
    [grey(0), grey(200)],
  ],
  [
    'a bitmap',
    [{ width: 3, height: 1, mode: 0, bits: 1 }, [plane(0b1010_0000)]],
    [grey(0), grey(255), grey(0)],
  ],
  [
    'a palette',
    [
      { width: 2, height: 1, mode: 2, bits: 8 },
      [plane(0, 2)],
      {
        palette: Buffer.from(
          Array.from({ length: 768 }, (_, at) => Math.floor(at / 256) * 10 + (at % 256)),
        ),
      },
    ],
    [
      [0, 10, 20, 255],
      [2, 12, 22, 255],
    ],
  ],
])('a Photoshop file with %s has its colours', async (_, made, colours) => {
  expect(await coloursOf('a.psd', aPsd(...made))).toEqual(colours);
});

test.each<[string, Buffer, RegExp]>([
  [
    'layers only',
    aPsd({ width: 1, height: 1, mode: 3, bits: 8 }, [plane(0)], { resources: noPicture }),
    /Maximize/,
  ],
  [
    'too many points',
    aPsd({ width: 30_000, height: 30_000, mode: 3, bits: 8 }, []),
    /too many pixels/,
  ],
  ['no points', aPsd({ width: 0, height: 1, mode: 3, bits: 8 }, []), /damaged/],
  [
    'colours of another kind',
    aPsd({ width: 1, height: 1, mode: 7, bits: 8 }, []),
    /cannot be shown/,
  ],
])('a Photoshop file with %s says why it is not shown', async (_, bytes, reason) => {
  await expect(open('a.psd', bytes)).rejects.toThrow(reason);
});

const junk = Buffer.from([0xff, 0xd8, 0xff, 0xc3, 0, 11, 14, 0xff, 0xff, 0xff, 0xff, 3, 0, 0]);
const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 10]), Buffer.from('Exif\0\0\0\0')]);
const photo = (...jpegs: Buffer[]) =>
  aTiff({ width: 9, height: 9, data: Buffer.concat(jpegs), tags: { 274: [8] } });

test.each(['a.nef', 'a.dng', 'a.cr2'])('%s is shown by its largest JPEG', async (name) => {
  const bytes = photo(junk, aJpegHead(160, 120), aJpegHead(600, 400), aJpegHead(320, 240));
  const { picture, orientation } = await open(name, bytes);
  expect(picture).toBeInstanceOf(Uint8Array);
  expect(Buffer.from(picture as Uint8Array).subarray(0, 30)).toEqual(
    bytes.subarray(bytes.indexOf(aJpegHead(600, 400))).subarray(0, 30),
  );
  expect(orientation).toBe(8);
});

test('a JPEG that says how it was held is not turned twice', async () => {
  expect(await open('a.nef', photo(aJpegHead(600, 400, exif)))).toMatchObject({ orientation: 1 });
});

test('a photo without a JPEG is damaged', async () => {
  await expect(open('a.nef', Buffer.from('no photo'))).rejects.toThrow();
});

test.each([
  ['a JPEG 2000', 'pdfjs-dist/wasm/openjpeg.wasm', decodeJpx, aJpx(), [24, 16]],
  ['a photo of an iPhone', 'libheif-js/libheif-wasm/libheif.wasm', decodeHeic, aHeic(), [320, 200]],
] as const)('%s has its colours', async (_, library, decode, bytes, size) => {
  const wasm = createRequire(import.meta.url).resolve(library);
  const fetched = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(readFileSync(wasm)));
  const { width, height, rgba } = await decode(request('a', bytes));
  fetched.mockRestore();
  expect([width, height, ...rgba.subarray(0, 4)]).toEqual([...size, 179, 54, 26, 255]);
});

/** Floats as Photoshop packs them: their first bytes first, each as the difference to the one before. */
function differences(...values: number[]): Buffer {
  const stored = floats(...values);
  const sorted = [3, 2, 1, 0].flatMap((byte) => values.map((_, at) => stored[4 * at + byte] ?? 0));
  return Buffer.from(sorted.map((byte, at) => (at === 0 ? byte : byte - (sorted[at - 1] ?? 0))));
}

test('fractions that are stored as differences are read, but in tiles', async () => {
  const tags = { 259: [8], 317: [3], 339: [3] };
  const bytes = row(3, deflateSync(differences(0, 0.5, 1)), [32, 1, 1], tags);
  expect(await coloursOf('a.tif', bytes)).toEqual([grey(0), grey(128), grey(255)]);
  const tiled = row(3, Buffer.alloc(9), [32, 1, 1], { ...tags, 324: [8], 325: [9] });
  await expect(open('a.tif', tiled)).rejects.toThrow('compression');
});

test('a JPEG of four colours in a TIFF, which is read as inks, says so', async () => {
  const bytes = row(1, Buffer.alloc(9), [8, 2, 4], { 259: [7] });
  await expect(open('a.tif', bytes)).rejects.toThrow('compression');
});
