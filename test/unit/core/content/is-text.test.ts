import { expect, test } from '@jest/globals';
import { decidingBytes, isText } from '../../../../core/content/is-text.ts';

test.each<[string, Uint8Array, boolean]>([
  ['ASCII', Buffer.from('let x = 1\r\n\tin x\n'), true],
  ['UTF-8', Buffer.from('Łódź 🚢'), true],
  ['UTF-8 cut within a character', Buffer.from('a'.repeat(decidingBytes - 1) + '🚢'), true],
  ['UTF-16 with its mark', Buffer.from('\uFEFFa', 'utf16le'), true],
  ['zero bytes', Buffer.from('ab\0cd'), false],
  ['another encoding', Buffer.from([0x61, 0xe9, 0x62]), false],
  ['nothing', Buffer.of(), false],
])('%s', (_, bytes, expected) => expect(isText(bytes)).toBe(expected));
