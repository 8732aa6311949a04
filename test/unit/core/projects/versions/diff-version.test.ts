import { expect, test } from '@jest/globals';
import {
  compareManifests,
  diffVersion,
} from '../../../../../core/projects/versions/diff-version.ts';
import { encodeManifest, type Manifest } from '../../../../../core/visit/manifest.ts';
import { aCaller, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';

const files = (contents: Record<string, string>, kept?: string): Manifest =>
  new Map(
    Object.entries(contents).map(([path, hash]) => [
      path,
      { size: hash.length, hash, ...(kept && { storedAt: kept }) },
    ]),
  );

test.each([
  ['nothing', { a: '1' }, { a: '1' }, { added: [], changed: [], removed: [] }],
  ['everything', { a: '1' }, { b: '1' }, { added: ['b'], changed: [], removed: ['a'] }],
  ['content', { a: '1', b: '2' }, { a: '9', b: '2' }, { added: [], changed: ['a'], removed: [] }],
  [
    'all in order',
    { z: '1', y: '1', x: '1', w: '1' },
    { n: '1', m: '1', x: '2', w: '22' },
    { added: ['m', 'n'], changed: ['w', 'x'], removed: ['y', 'z'] },
  ],
])('compares %s', (_, was, is, expected) => {
  expect(compareManifests(files(was), files(is))).toEqual(expected);
});

test('another place of a file is not a change', () => {
  const nothing = { added: [], changed: [], removed: [] };
  expect(compareManifests(files({ a: '1' }), files({ a: '1' }, 'b2'))).toEqual(nothing);
});

test('a size alone is a change', () => {
  const is: Manifest = new Map([['a', { size: 2, hash: '1' }]]);
  expect(compareManifests(files({ a: '1' }), is).changed).toEqual(['a']);
});

const version = (number: number, contents: Record<string, string>) =>
  aVersion({
    version: number,
    bytes: Object.values(contents).join('').length,
    manifest: Buffer.from(encodeManifest(files(contents))),
  });
const kept = [version(5, { a: '333', c: '1' }), version(4, { a: '22' }), version(2, { b: '1' })];
const deps = (live: number) => ({
  projects: { get: async () => aProject({ version: live }), listVersions: async () => kept },
  content: { get: async () => undefined },
  now: () => new Date('2026-03-01T12:00:00.000Z'),
});
const { id: projectId } = aProject();

test.each([
  [
    'another with the live one',
    5,
    '2',
    { against: 5, added: ['b'], removed: ['a', 'c'], sizeDelta: -3 },
  ],
  [
    'the live one with the one before',
    5,
    '5',
    { against: 4, added: ['c'], changed: ['a'], sizeDelta: 2 },
  ],
  ['the live one over a gap', 4, '4', { against: 2, added: ['a'], removed: ['b'], sizeDelta: 1 }],
  [
    'a later one with the live one',
    2,
    '5',
    { against: 2, added: ['a', 'c'], removed: ['b'], sizeDelta: 3 },
  ],
  [
    'the oldest, live, with nothing',
    2,
    '2',
    { against: null, added: ['b'], removed: [], sizeDelta: 1 },
  ],
])('compares %s', async (_, live, wanted, expected) => {
  const diff = await diffVersion(deps(live), aCaller(), { projectId, version: wanted });
  expect(diff).toMatchObject(expected);
});

test('compares any two kept versions', async () => {
  const diff = await diffVersion(deps(5), aCaller(), { projectId, version: '4', against: 2 });
  expect(diff).toMatchObject({ against: 2, added: ['a'], removed: ['b'], sizeDelta: 1 });
  const unknown = diffVersion(deps(5), aCaller(), { projectId, version: '4', against: 3 });
  await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test.each(['3', '0', '-1', '1.0', '01', 'x', '', '9'.repeat(30), '__proto__'])(
  'there is no version %s',
  async (wanted) => {
    const comparison = diffVersion(deps(5), aCaller(), { projectId, version: wanted });
    await expect(comparison).rejects.toMatchObject({ code: 'NOT_FOUND' });
  },
);
