import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeSegment, encodeSegment } from '../../../../core/site-rules/path-segment.ts';

test.each([
  ['%40scope%2Fname', '%40scope%2Fname'],
  ['a%2fb', 'a%2Fb'],
  ['caf%E9', 'caf%E9'],
  ['caf%C3%A9', 'caf%C3%A9'],
  ['%C3%A9%E9', '%C3%A9%E9'],
  ['%F0%9F%92%A1', '%F0%9F%92%A1'],
  ['%ED%A0%80', '%ED%A0%80'],
  ['100%', '100%25'],
  ['%zz', '%25zz'],
  ['a%0D%0Ab%00', 'a%0D%0Ab%00'],
  ['%3Fa%23b', '%3Fa%23b'],
])('%s is the same address after it was decoded', (segment, encoded) => {
  expect(encodeSegment(decodeSegment(segment))).toBe(encoded);
});

test('many marks out of order stay so', () => {
  const marks = '%CC%81%CC%96'.repeat(8000);
  expect(encodeSegment(decodeSegment(marks)) === marks).toBe(true);
});

test('any text is decoded and encoded without an error, into one segment of visible ASCII', () => {
  const piece = fc.constantFrom(
    '%',
    '%2F',
    '%2f',
    '%E9',
    '%ED%A0%80',
    '%C3',
    '%A9',
    'é',
    'a',
    '%0A',
  );
  const segment = fc.array(
    fc.oneof(
      piece,
      fc.string().map((text) => text.replaceAll('/', '')),
    ),
  );
  fc.assert(
    fc.property(segment, (pieces) => {
      const text = encodeSegment(decodeSegment(pieces.join('')));
      expect(text).toMatch(/^[!-.0-~]*$/);
      expect(encodeSegment(decodeSegment(text))).toBe(text);
    }),
  );
});
