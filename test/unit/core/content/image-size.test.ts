import { expect, test } from '@jest/globals';
import { imageSize } from '../../../../core/content/image-size.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const gif = Buffer.concat([Buffer.from('GIF89a'), hex('4001 f000 00')]);
const png = hex('89504e470d0a1a0a 0000000d 49484452 00000140 000000f0 08060000');
const exif = Buffer.concat([hex('ffe1 0102'), Buffer.alloc(0x100, 0xff)]);
const jpeg = Buffer.concat([
  hex('ffd8'),
  exif,
  hex('ffdb 0003 00 ffff c4 0003 00 ffc2 0011 08 00f0 0140 03'),
]);
const webp = (chunk: string, rest: string) =>
  Buffer.concat([Buffer.from('RIFF'), hex('00000000'), Buffer.from(`WEBP${chunk}`), hex(rest)]);

test.each([
  ['PNG', png],
  ['GIF', gif],
  ['JPEG, behind its notes and tables', jpeg],
  ['WebP, lossy', webp('VP8 ', '00000000 000000 9d012a 4001 f000')],
  ['WebP, lossless', webp('VP8L', '00000000 2f 3fc13b00')],
  ['WebP, extended', webp('VP8X', '0a000000 00000000 3f0100 ef0000')],
])('a %s is 320 by 240', (_, bytes) => {
  expect(imageSize(bytes)).toEqual({ width: 320, height: 240 });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>')],
  ['a JPEG whose head is cut off', jpeg.subarray(0, 200)],
  ['a PNG whose head is cut off', png.subarray(0, 20)],
  ['a JPEG with no frame', hex('ffd8 ffd9 0000')],
  ['a picture of no width', Buffer.concat([Buffer.from('GIF89a'), hex('0000 f000')])],
])('%s has no size', (_, bytes) => {
  expect(imageSize(bytes)).toBeUndefined();
});
