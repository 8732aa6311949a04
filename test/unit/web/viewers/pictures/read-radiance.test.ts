import { expect, test } from '@jest/globals';
import { readRadiance } from '../../../../../web/viewers/pictures/read-radiance.ts';

/** Two points: red above green, as their light. */
function anExr(bottom = 1): Uint8Array<ArrayBuffer> {
  const text = (value: string) => Buffer.from(`${value}\0`);
  const ints = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);
  const attribute = (name: string, type: string, value: Buffer) =>
    Buffer.concat([text(name), text(type), ints(value.length), value]);
  const channel = (name: string) => Buffer.concat([text(name), ints(2, 0, 1, 1)]);
  const channels = [...['B', 'G', 'R'].map(channel), Buffer.from([0])];
  const box = ints(0, 0, 0, bottom);
  const header = Buffer.concat([
    Buffer.from([0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]),
    attribute('channels', 'chlist', Buffer.concat(channels)),
    attribute('compression', 'compression', Buffer.from([0])),
    attribute('dataWindow', 'box2i', box),
    attribute('displayWindow', 'box2i', box),
    attribute('lineOrder', 'lineOrder', Buffer.from([0])),
    attribute('pixelAspectRatio', 'float', Buffer.from(Float32Array.of(1).buffer)),
    attribute('screenWindowCenter', 'v2f', Buffer.alloc(8)),
    attribute('screenWindowWidth', 'float', Buffer.from(Float32Array.of(1).buffer)),
    Buffer.from([0]),
  ]);
  const line = (y: number, ...light: number[]) =>
    Buffer.concat([ints(y, 12), Buffer.from(Float32Array.from(light).buffer)]);
  const first = header.length + 16;
  const places = ints(first, 0, first + 20, 0);
  return Uint8Array.from(Buffer.concat([header, places, line(0, 0, 0, 1), line(1, 0, 0.5, 0)]));
}

/** The same in the four bytes of Radiance: three numbers and their exponent. */
function anHdr(size = '-Y 2 +X 1'): Uint8Array<ArrayBuffer> {
  const header = `#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n${size}\n`;
  const points = Buffer.from([128, 0, 0, 129, 0, 128, 0, 128]);
  return Uint8Array.from(Buffer.concat([Buffer.from(header), points]));
}

test.each([
  ['OpenEXR', anExr()],
  ['Radiance', anHdr()],
])('light in %s is shown from the first line on, as a screen stores it', (_, bytes) => {
  expect(readRadiance(bytes)).toEqual({
    width: 1,
    height: 2,
    rgba: Uint8ClampedArray.of(255, 0, 0, 255, 0, 188, 0, 255),
  });
});

test.each([
  ['OpenEXR with too many points', anExr(2 ** 30), /too many pixels/],
  ['Radiance with too many points', anHdr('-Y 99999 +X 99999'), /too many pixels/],
  ['Radiance without a size', anHdr(''), /damaged/],
  ['OpenEXR without its window', anExr().subarray(0, 60), /damaged/],
  ['anything else', new Uint8Array(300), /damaged/],
])('%s is refused before room is made', (_, bytes, reason) => {
  expect(() => readRadiance(Uint8Array.from(bytes))).toThrow(reason);
});
