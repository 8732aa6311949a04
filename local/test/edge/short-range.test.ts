import { expect, test } from '@jest/globals';
import { isShorterThanRequested } from '../../edge/origin/short-range.ts';
import { anAnswer, anEdge, aRequest } from './edge-fixture.ts';

test.each([
  ['bytes=0-', 'bytes 0-3/10', true],
  ['bytes=0-', 'bytes 0-9/10', false],
  ['bytes=0-3', 'bytes 0-3/10', false],
  ['bytes=0-4', 'bytes 0-3/10', true],
  ['bytes=2-99', 'bytes 2-9/10', false],
  ['bytes=-3', 'bytes 7-9/10', false],
])('%s answered with %s is shorter: %s', (range, sent, expected) => {
  const answer = anAnswer({ 'content-range': sent }, '', 206);
  expect(isShorterThanRequested(aRequest({ headers: { range } }), answer)).toBe(expected);
});

test('an edge that takes no shorter range answers 502', async () => {
  const answer = anAnswer({ 'content-range': 'bytes 0-3/10' }, '', 206);
  const rangeRequest = aRequest({ headers: { range: 'bytes=0-' } });
  const { edge } = anEdge(() => answer, { differences: ['no-short-ranges'] });
  expect((await edge.handle(rangeRequest)).status).toBe(502);
  expect((await anEdge(() => answer).edge.handle(rangeRequest)).status).toBe(206);
});
