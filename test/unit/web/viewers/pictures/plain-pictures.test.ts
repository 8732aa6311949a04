import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodePicture } from '../../../../../web/viewers/pictures/decode-picture.ts';
import {
  aBigTiff,
  aNetpbm,
  aTga,
  type TgaFields,
} from '../../../../fixtures/visits/sample-pictures.ts';

const open = (name: string, bytes: Buffer) =>
  decodePicture({ name, bytes: Uint8Array.from(bytes), decoder: '', page: 0 });

/** Its size, and the colour of each point. */
async function seen(name: string, bytes: Buffer) {
  const { picture } = await open(name, bytes);
  if (picture instanceof Uint8Array) throw new Error('a JPEG');
  const { width, height, rgba } = picture;
  const points = Array.from({ length: width * height }, (_, at) =>
    Array.from(rgba.slice(4 * at, 4 * at + 4)),
  );
  return { width, height, points };
}

const grey = (value: number) => [value, value, value, 255];
const red = [255, 0, 0, 255];
const blue = [0, 0, 255, 255];

test.each<[string, string, number[], number[][]]>([
  ['a bitmap in digits', 'P1\n# made here\n3 1\n101', [], [grey(0), grey(255), grey(0)]],
  ['a bitmap', 'P4 3 2\n', [0b1010_0000, 0b0100_0000], [0, 255, 0, 255, 0, 255].map(grey)],
  ['greys in digits', 'P2 3 1 4\n0 #none\n 2\n4\n', [], [grey(0), grey(128), grey(255)]],
  ['greys', 'P5\n2 1\n255\n', [7, 200], [grey(7), grey(200)]],
  ['greys of two bytes', 'P5 2 1 65535\n', [0xff, 0xff, 0x80, 0], [grey(255), grey(128)]],
  ['colours in digits', 'P3 2 1 255 255 0 0  0 0 255', [], [red, blue]],
  ['colours', 'P6\n#\n2 1 255\n', [255, 0, 0, 0, 0, 255], [red, blue]],
  [
    'colours with opacity',
    'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n',
    [1, 2, 3, 4],
    [[1, 2, 3, 4]],
  ],
  [
    'greys with opacity',
    'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nENDHDR\n',
    [9, 8],
    [[9, 9, 9, 8]],
  ],
])('%s of Netpbm are shown', async (_, header, numbers, points) => {
  expect((await seen('a.ppm', aNetpbm(header, numbers))).points).toEqual(points);
});

const two = { width: 2, height: 1 };
const mapped = { mapBits: 24, map: [0, 0, 255, 255, 0, 0] };

test.each<[string, TgaFields, number[][]]>([
  ['colours', { kind: 2, ...two, bits: 24, data: [0, 0, 255, 255, 0, 0] }, [red, blue]],
  ['rows from below', { kind: 3, width: 1, height: 2, bits: 8, data: [1, 2] }, [2, 1].map(grey)],
  [
    'rows from above',
    { kind: 3, width: 1, height: 2, bits: 8, flags: 0x20, data: [1, 2] },
    [1, 2].map(grey),
  ],
  [
    'columns from the right',
    { kind: 3, ...two, bits: 8, flags: 0x10, data: [1, 2] },
    [2, 1].map(grey),
  ],
  [
    'opacity',
    { kind: 2, width: 1, height: 1, bits: 32, flags: 8, data: [3, 2, 1, 9] },
    [[1, 2, 3, 9]],
  ],
  [
    'an opacity of zero everywhere',
    { kind: 2, width: 1, height: 1, bits: 32, flags: 8, data: [3, 2, 1, 0] },
    [[1, 2, 3, 255]],
  ],
  [
    'a fourth byte that is no opacity',
    { kind: 2, width: 1, height: 1, bits: 32, data: [3, 2, 1, 9] },
    [[1, 2, 3, 255]],
  ],
  [
    'five bits for each colour',
    { kind: 2, ...two, bits: 16, data: [0, 0x7c, 0x1f, 0] },
    [red, blue],
  ],
  ['a map', { kind: 1, ...two, bits: 8, ...mapped, data: [0, 1] }, [red, blue]],
  [
    'packets',
    { kind: 10, width: 2, height: 2, bits: 24, flags: 0x20, data: [0x82, 0, 0, 255, 0, 255, 0, 0] },
    [red, red, red, blue],
  ],
  ['grey packets', { kind: 11, ...two, bits: 8, data: [1, 5, 6] }, [grey(5), grey(6)]],
])('a TGA with %s is shown', async (_, fields, points) => {
  expect((await seen('a.tga', aTga(fields))).points).toEqual(points);
});

test.each([true, false])('a BigTIFF is shown; its lowest byte is first: %s', async (isLittle) => {
  const page = {
    width: 2,
    height: 2,
    data: [Buffer.from([255, 0, 0, 0, 0, 255]), Buffer.from([0, 0, 255, 255, 0, 0])],
    tags: { 258: [8], 262: [2], 277: [3], 330: [8] },
  };
  const { points } = await seen('a.tif', aBigTiff(page, isLittle));
  expect(points).toEqual([red, blue, blue, red]);
});

/** Its tag of bits has this many values. */
function withCount(bytes: Buffer, count: number): Buffer {
  bytes.writeUInt32LE(count, bytes.indexOf(Buffer.from([2, 1, 16, 0])) + 4);
  return bytes;
}

const dot = { width: 1, height: 1, data: Buffer.from([7]), tags: { 258: [8], 262: [1], 277: [1] } };

test.each<[string, string, Buffer, RegExp]>([
  ['too many points', 'a.ppm', aNetpbm('P6 99999 99999 255\n'), /too many/],
  ['fewer numbers than points', 'a.ppm', aNetpbm('P6 5000 5000 255\n', [1, 2, 3]), /damaged/],
  ['fewer digits than points', 'a.pgm', aNetpbm('P2 5000 5000 255\n'), /damaged/],
  ['digits that are comments', 'a.pgm', aNetpbm(`P2 2 2 255\n${'# 1 2 3 4'.repeat(9)}`), /damaged/],
  ['no largest number', 'a.pgm', aNetpbm('P5 1 1 0\n', [1]), /damaged/],
  ['a header without an end', 'a.pam', aNetpbm('P7\nWIDTH 1\n'), /damaged/],
  [
    'too many channels',
    'a.pam',
    aNetpbm('P7\nWIDTH 1\nHEIGHT 1\nDEPTH 99\nMAXVAL 255\nENDHDR\n'),
    /damaged/,
  ],
  ['words in it', 'a.tga', Buffer.from('Tide at the north quay, and more'), /damaged/],
  [
    'too many points',
    'a.tga',
    aTga({ kind: 2, width: 65_535, height: 65_535, bits: 24 }),
    /too many/,
  ],
  [
    'fewer packets than points',
    'a.tga',
    aTga({ kind: 10, width: 5000, height: 5000, bits: 24, data: [255, 1, 2, 3] }),
    /damaged/,
  ],
  [
    'a map that is missing',
    'a.tga',
    aTga({ kind: 1, width: 1, height: 1, bits: 8, data: [1] }),
    /damaged/,
  ],
  ['half of it', 'a.tif', aBigTiff(dot).subarray(0, 100), /damaged/],
  ['values beyond its end', 'a.tif', withCount(aBigTiff(dot), 2 ** 31), /damaged/],
])('a file with %s is refused: %s', async (_, name, bytes, reason) => {
  await expect(open(name, bytes)).rejects.toThrow(reason);
});

test('a BigTIFF that names its directory again is read once', async () => {
  const bytes = aBigTiff(dot);
  bytes.copy(bytes, bytes.length - 8, 8, 16);
  expect((await seen('a.tif', bytes)).points).toEqual([grey(7)]);
});

test('any numbers of Netpbm and TGA are shown as they are stored, whatever the form', async () => {
  const picture = fc
    .record({ width: fc.integer({ min: 1, max: 9 }), height: fc.integer({ min: 1, max: 9 }) })
    .chain(({ width, height }) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        data: fc.array(fc.nat(255), {
          minLength: width * height * 3,
          maxLength: width * height * 3,
        }),
      }),
    );
  const points = (numbers: readonly number[]) =>
    Array.from({ length: numbers.length / 3 }, (_, at) => [
      ...numbers.slice(3 * at, 3 * at + 3),
      255,
    ]);
  await fc.assert(
    fc.asyncProperty(picture, async ({ width, height, data }) => {
      const stored = points(data).flatMap(([r = 0, g = 0, b = 0]) => [b, g, r]);
      const packets = points(data).flatMap(([r = 0, g = 0, b = 0]) => [0x80, b, g, r]);
      const tga = { width, height, bits: 24, flags: 0x20 };
      const files: [string, Buffer][] = [
        ['a.ppm', aNetpbm(`P6 ${width} ${height} 255\n`, data)],
        ['a.ppm', aNetpbm(`P3\n${width} ${height}\n255\n${data.join(' ')}`)],
        ['a.tga', aTga({ ...tga, kind: 2, data: stored })],
        ['a.tga', aTga({ ...tga, kind: 10, data: packets })],
      ];
      for (const [name, bytes] of files) {
        expect(await seen(name, bytes)).toEqual({ width, height, points: points(data) });
      }
    }),
    { numRuns: 30 },
  );
});
