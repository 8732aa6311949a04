import { expect, test } from '@jest/globals';
import { readSubRip } from '../../../../../web/viewers/parts/sub-rip.ts';

test('texts have their times, whatever ends the lines', () => {
  const file =
    '1\r\n00:00:01,500 --> 00:00:02,000\r\nTide <i>turns</i>\r\nat nine\r\n\r\n2\r\n01:00:00.25 --> 01:00:01,000 X1:0\r\nLate\r\n';
  expect(readSubRip(file)).toEqual([
    { from: 1.5, to: 2, text: 'Tide <i>turns</i>\nat nine' },
    { from: 3600.25, to: 3601, text: 'Late' },
  ]);
});

test.each([
  ['nothing', ''],
  ['no times', '1\nHello'],
  ['times that run backwards', '00:00:02,000 --> 00:00:01,000\nHello'],
  ['times without a text', '00:00:01,000 --> 00:00:02,000\n'],
])('%s is no text over a film', (_, file) => expect(readSubRip(file)).toEqual([]));

test('a hostile file has no more texts than a film', () => {
  const file = '00:00:01,000 --> 00:00:02,000\na\n\n'.repeat(30_000);
  expect(readSubRip(file)).toHaveLength(20_000);
});
