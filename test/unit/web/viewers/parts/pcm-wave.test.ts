import { expect, test } from '@jest/globals';
import { pcmWave } from '../../../../../web/viewers/parts/pcm-wave.ts';

const chunk = (name: string, content: readonly number[]) => {
  const bytes = Buffer.alloc(8 + content.length + (content.length % 2));
  bytes.write(name);
  bytes.writeUInt32BE(content.length, 4);
  bytes.set(content, 8);
  return bytes;
};

/** An AIFF of 8,000 Hz. */
function anAiff(bits: number, data: readonly number[], compression = ''): Buffer {
  const rate = [0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0];
  const common = [0, 1, 0, 0, 0, 2, 0, bits, ...rate, ...Buffer.from(compression)];
  const chunks = [chunk('COMM', common), chunk('SSND', [0, 0, 0, 0, 0, 0, 0, 0, ...data])];
  const body = Buffer.concat([Buffer.from(compression ? 'AIFC' : 'AIFF'), ...chunks]);
  return Buffer.concat([chunk('FORM', []), body]);
}

/** A WAV of 8,000 Hz, whose numbers begin with their first or their last byte. */
function aWav(tag: number, bits: number, data: Buffer, isBigEndian = false): Buffer {
  const format = Buffer.alloc(16);
  const fields = [
    [tag, 0, 2],
    [1, 2, 2],
    [8000, 4, 4],
    [bits, 14, 2],
  ] as const;
  for (const [value, at, size] of fields) {
    if (isBigEndian) format.writeUIntBE(value, at, size);
    else format.writeUIntLE(value, at, size);
  }
  const chunks = [chunk('fmt ', [...format]), chunk('data', [...data])];
  if (!isBigEndian) for (const one of chunks) one.subarray(4, 8).reverse();
  return Buffer.concat([chunk(isBigEndian ? 'RIFX' : 'RIFF', []), Buffer.from('WAVE'), ...chunks]);
}

/** An AU of 8,000 Hz that does not know its length. */
function anAu(encoding: number, data: readonly number[]): Buffer {
  const words = [0x2e736e64, 28, 0xffffffff, encoding, 8000, 1, 0];
  const head = Buffer.alloc(28);
  words.forEach((word, at) => head.writeUInt32BE(word, at * 4));
  return Buffer.concat([head, Buffer.from(data)]);
}

function numbersIn(file: Buffer): number[] | undefined {
  const wave = pcmWave(Uint8Array.from(file));
  if (wave === undefined) return undefined;
  const bytes = Buffer.from(wave);
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
  expect([bytes.readUInt32LE(24), bytes.readUInt16LE(34)]).toEqual([8000, 16]);
  return Array.from({ length: (bytes.length - 44) / 2 }, (_, at) => bytes.readInt16LE(44 + 2 * at));
}

const float = Buffer.alloc(8);
float.writeDoubleLE(0.5);

test.each<[string, Buffer, number[]]>([
  ['AIFF of 16 bits', anAiff(16, [0x12, 0x34, 0xff, 0xfe]), [0x1234, -2]],
  ['AIFF of 24 bits', anAiff(24, [0x12, 0x34, 0x56]), [0x1234]],
  ['AIFF of 8 bits', anAiff(8, [0x81, 0x7f]), [-127 * 256, 127 * 256]],
  ['AIFF-C with its last byte first', anAiff(16, [0x34, 0x12], 'sowt'), [0x1234]],
  ['AIFF-C with floats', anAiff(32, [0x3f, 0, 0, 0], 'fl32'), [16_383]],
  ['AIFF-C of µ-law', anAiff(16, [0x80, 0xff], 'ulaw'), [32_124, 0]],
  ['WAV of A-law', aWav(6, 8, Buffer.from([0xd5, 0xaa])), [8, 32_256]],
  ['WAV of 32 bits', aWav(1, 32, Buffer.from([0, 0, 0x34, 0x12])), [0x1234]],
  ['WAV of 8 bits', aWav(1, 8, Buffer.from([0, 128])), [-32_768, 0]],
  ['WAV of floats with 64 bits', aWav(3, 64, float), [16_383]],
  ['WAV with its first byte first', aWav(1, 16, Buffer.from([0x12, 0x34]), true), [0x1234]],
  ['AU of 16 bits', anAu(3, [0x12, 0x34, 0xff, 0xfe]), [0x1234, -2]],
  ['AU of 8 bits', anAu(2, [0x81, 0x7f]), [-127 * 256, 127 * 256]],
  ['AU of 24 bits', anAu(4, [0x12, 0x34, 0x56]), [0x1234]],
  ['AU of 32 bits', anAu(5, [0x12, 0x34, 0x56, 0x78]), [0x1234]],
  ['AU of µ-law', anAu(1, [0x80, 0xff]), [32_124, 0]],
  ['AU of A-law', anAu(27, [0xd5, 0xaa]), [8, 32_256]],
  ['AU with floats', anAu(6, [0x3f, 0, 0, 0]), [16_383]],
  ['AU with floats of 64 bits', anAu(7, [0x3f, 0xe0, 0, 0, 0, 0, 0, 0]), [16_383]],
])('%s plays', (_, file, numbers) => expect(numbersIn(file)).toEqual(numbers));

test.each([
  ['another compression', anAiff(16, [1, 2], 'ima4')],
  ['another tag', aWav(85, 16, Buffer.from([1, 2]))],
  ['AU of ADPCM', anAu(23, [1, 2])],
  ['a header of AU alone', anAu(3, []).subarray(0, 20)],
  ['no sound', Buffer.from('hello, this is a text')],
  ['a short file', Buffer.from('FORM')],
  ['no channels', Buffer.from(anAiff(16, [1, 2])).fill(0, 20, 22)],
])('%s is left as it is', (_, file) => expect(numbersIn(file)).toBeUndefined());
