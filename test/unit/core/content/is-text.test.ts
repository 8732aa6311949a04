import { expect, test } from '@jest/globals';
import { decidingBytes, isText, isTransportStream } from '../../../../core/content/is-text.ts';

test.each<[string, Uint8Array, boolean]>([
  ['ASCII', Buffer.from('let x = 1\r\n\tin x\n'), true],
  ['UTF-8', Buffer.from('Łódź 🚢'), true],
  ['UTF-8 cut within a character', Buffer.from('a'.repeat(decidingBytes - 1) + '🚢'), true],
  ['UTF-16 with its mark', Buffer.from('\uFEFFa', 'utf16le'), true],
  ['zero bytes', Buffer.from('ab\0cd'), false],
  ['another encoding', Buffer.from([0x61, 0xe9, 0x62]), false],
  ['nothing', Buffer.of(), false],
])('%s', (_, bytes, expected) => expect(isText(bytes)).toBe(expected));

const packets = (length: number, markAt: number) => {
  const bytes = Buffer.alloc(length * 3, 0xff);
  for (let at = markAt; at < bytes.length; at += length) bytes[at] = 0x47;
  return bytes;
};

test.each<[string, string, Uint8Array, boolean]>([
  ['packets', 'hls/seg-1.ts', packets(188, 0), true],
  ['one packet', 'SEG.TS', Buffer.concat([Buffer.of(0x47, 0x40, 0), Buffer.alloc(185)]), true],
  ['packets of nothing but marks', 'a.ts', Buffer.alloc(1880, 0x47), true],
  ['the packets of a camera', 'clip.mts', packets(192, 4), true],
  ['TypeScript', 'a.ts', Buffer.from('export const a = 1;\n'.repeat(50)), false],
  [
    'TypeScript that begins with a G',
    'a.ts',
    Buffer.from(`Game.start();\n${'x'.repeat(500)}`),
    false,
  ],
  ['one letter', 'a.ts', Buffer.from('G'), false],
  ['TypeScript in another encoding', 'a.ts', Buffer.from([0x61, 0xe9, 0x62]), false],
  ['nothing', 'a.ts', Buffer.of(), false],
  ['another name', 'a.txt', packets(188, 0), false],
])('a transport stream: %s', (_, path, bytes, expected) => {
  expect(isTransportStream(path, bytes)).toBe(expected);
});
