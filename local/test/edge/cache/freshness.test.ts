import { describe, expect, test } from '@jest/globals';
import { cachePolicy } from '../../../edge/cache/cache-policy.ts';
import { timeToLiveSeconds } from '../../../edge/cache/freshness.ts';
import { aCachePolicy } from '../edge-fixture.ts';

const now = new Date('2026-01-01T00:00:00Z');
const policy = (MinTTL: number, DefaultTTL: number, MaxTTL: number) =>
  cachePolicy(aCachePolicy('P', { MinTTL, DefaultTTL, MaxTTL }));
const life = (ttls: [number, number, number], headers: Record<string, string>, status = 200) =>
  timeToLiveSeconds({ status, headers }, policy(...ttls), 10, now);
const zero: [number, number, number] = [0, 100, 1000];
const some: [number, number, number] = [60, 100, 1000];
const control = (value: string) => ({ 'cache-control': value });

describe('lifetime of a page', () => {
  test.each<[[number, number, number], Record<string, string>, number | undefined]>([
    [zero, {}, 100],
    [zero, control('max-age=5'), 5],
    [zero, control('max-age=5, s-maxage=7'), 7],
    [zero, control('Max-Age="5"'), 5],
    [zero, control('max-age=5000'), 1000],
    [zero, control('max-age=0, must-revalidate'), 0],
    [zero, control('no-cache'), 0],
    [zero, control('no-store'), undefined],
    [zero, control('private, max-age=9'), undefined],
    [zero, control('no-cache="set-cookie", max-age=9'), 9],
    [zero, { ...control('max-age=50'), age: '20' }, 30],
    [zero, { expires: 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
    [zero, { ...control('max-age=5'), expires: 'Thu, 01 Jan 2026 00:00:30 GMT' }, 5],
    [zero, { expires: '0' }, 0],
    [zero, { expires: 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [zero, { ...control('max-age=9'), vary: '*' }, undefined],
    [some, {}, 100],
    [some, control('max-age=5'), 60],
    [some, control('max-age=70'), 70],
    [some, control('no-store'), 60],
    [some, control('no-cache'), 60],
    [[200, 100, 1000], {}, 200],
    [[0, 0, 0], control('max-age=5'), undefined],
  ])('under %p with %p is %p', (ttls, headers, expected) => {
    expect(life(ttls, headers)).toBe(expected);
  });

  test.each([
    [301, 100],
    [302, 100],
    [307, 100],
    [308, 100],
    [206, undefined],
    [204, undefined],
    [304, undefined],
    [401, undefined],
    [416, undefined],
    [429, undefined],
  ])('without headers for %p is %p', (status, expected) => {
    expect(life(zero, {}, status)).toBe(expected);
  });
});

describe('lifetime of an error', () => {
  test.each<[number, string, number | undefined]>([
    [404, '', 10],
    [404, 'max-age=50', 50],
    [404, 'max-age=5', 10],
    [404, 'no-store', undefined],
    [410, 'private, no-store', undefined],
    [410, 'max-age=5000', 1000],
    [405, 'no-store', 10],
    [500, 'no-store', 10],
    [501, 'no-store', undefined],
    [503, 'private, no-store', 10],
    [504, 'max-age=0', 10],
    [403, '', undefined],
    [403, 'max-age=50', 50],
    [412, 'no-store', undefined],
    [401, 'max-age=50', undefined],
  ])('%p with %p is %p', (status, value, expected) => {
    expect(life(zero, control(value), status)).toBe(expected);
  });
});
