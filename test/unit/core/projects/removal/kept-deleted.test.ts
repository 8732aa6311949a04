import { expect, test } from '@jest/globals';
import { beyondKept } from '../../../../../core/projects/removal/delete-project.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import { aPreview, aProject } from '../../../../fixtures/projects/a-project.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const sized = (bytes: number, earlier = 0) =>
  aProject({ bytes, history: { versions: 1, bytes: earlier, oldestAt: null } });
const left = (latest: number, earlier: number[], maxBytes: number) =>
  beyondKept(
    sized(latest),
    earlier.map((bytes) => ({ project: sized(bytes) })),
    { maxBytes },
    now,
  ).map(({ project }) => project.bytes);

test.each([
  ['all fit', 40, [30, 30], 100, []],
  ['the oldest go', 40, [30, 31, 1], 100, [31, 1]],
  ['none is kept for being small behind one that goes', 10, [95, 1], 100, [95, 1]],
  ['the latest is kept, however large it is', 150, [1], 100, [1]],
  ['a plan without a limit keeps all', 150, [1000], -1, []],
] as const)('%s', (_, latest, earlier, maxBytes, expected) => {
  expect(left(latest, [...earlier], maxBytes)).toEqual(expected);
});

test('earlier versions count, and 500 projects are kept', () => {
  const other = { project: sized(10, 51) };
  expect(beyondKept(sized(10, 30), [other], { maxBytes: 100 }, now)).toEqual([other]);
  expect(left(0, Array<number>(502).fill(0), -1)).toHaveLength(3);
});

test('previews count until they end', () => {
  const deleted = (seconds: number) => ({
    project: aProject({
      ...sized(1),
      previews: [aPreview({ bytes: 99, expiresAt: instant(plusSeconds(now, seconds)) })],
    }),
  });
  const left = (one: { project: Project }, other = one) =>
    beyondKept(one.project, [other], { maxBytes: 150 }, now);
  expect(left(deleted(60))).toHaveLength(1);
  expect(left(deleted(60), deleted(0))).toEqual([]);
  expect(left(deleted(0), deleted(60))).toEqual([]);
});
