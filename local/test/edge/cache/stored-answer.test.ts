import { describe, expect, test } from '@jest/globals';
import { cacheTags } from '../../../edge/cache/cache-store.ts';
import { isNotModified, rangeOf } from '../../../edge/cache/stored-answer.ts';

describe('range', () => {
  const stored = { etag: '"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };
  const part = (start: number, end: number) => ({ kind: 'part', start, end });
  const full = { kind: 'full' };
  const none = { kind: 'unsatisfiable' };
  test.each<[Record<string, string>, unknown]>([
    [{}, full],
    [{ range: 'bytes=0-0' }, part(0, 0)],
    [{ range: 'bytes=2-' }, part(2, 9)],
    [{ range: 'bytes=2-99' }, part(2, 9)],
    [{ range: 'bytes=-3' }, part(7, 9)],
    [{ range: 'bytes=-99' }, part(0, 9)],
    [{ range: 'bytes=-0' }, none],
    [{ range: 'bytes=10-' }, none],
    [{ range: 'bytes=5-2' }, full],
    [{ range: 'bytes=0-1,3-4' }, full],
    [{ range: 'bytes=-' }, full],
    [{ range: 'lines=0-1' }, full],
    [{ range: 'bytes=0-1', 'if-range': '"1"' }, part(0, 1)],
    [{ range: 'bytes=0-1', 'if-range': '"2"' }, full],
    [{ range: 'bytes=0-1', 'if-range': 'W/"1"' }, full],
    [{ range: 'bytes=0-1', 'if-range': 'Thu, 01 Jan 2026 00:00:00 GMT' }, part(0, 1)],
  ])('%p of ten bytes is %p', (headers, expected) => {
    expect(rangeOf(headers, stored, 10)).toEqual(expected);
  });

  test('is not satisfiable for an empty body', () => {
    expect(rangeOf({ range: 'bytes=-5' }, stored, 0)).toEqual(none);
  });
});

describe('conditional request', () => {
  const stored = { etag: 'W/"1"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };
  test.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ 'if-none-match': '"1"' }, true],
    [{ 'if-none-match': '"0", W/"1"' }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': '"2"', 'if-modified-since': 'Fri, 02 Jan 2026 00:00:00 GMT' }, false],
    [{ 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, true],
    [{ 'if-modified-since': 'Wed, 31 Dec 2025 00:00:00 GMT' }, false],
    [{ 'if-modified-since': 'nonsense' }, false],
  ])('%p matches the cached page: %p', (headers, expected) => {
    expect(isNotModified(headers, stored)).toBe(expected);
  });
});

describe('cache tags', () => {
  test('are lowercase, trimmed and of visible ASCII', () => {
    expect([...cacheTags(' P-1 ,p-1, b b,ä, c')]).toEqual(['p-1', 'c']);
  });

  test('beyond the fiftieth are ignored', () => {
    const tags = cacheTags(Array.from({ length: 60 }, (_, i) => `t${i}`).join(','));
    expect([tags.size, tags.has('t49'), tags.has('t50')]).toEqual([50, true, false]);
  });
});
