import { expect, test } from '@jest/globals';
import { listFolder } from '../../../../core/visit/list-folder.ts';
import { aManifest } from '../../../fixtures/visits/a-site.ts';

const manifest = aManifest(
  'b.txt',
  'a10.txt',
  'a9.txt',
  'docs/x.txt',
  'docs/deep/y.txt',
  'Zed/z.txt',
);

test('lists the root with its folders summed up', () => {
  expect(listFolder(manifest, '')).toEqual({
    folders: [
      { name: 'docs', files: 2, bytes: 200 },
      { name: 'Zed', files: 1, bytes: 100 },
    ],
    files: [
      { name: 'a9.txt', path: 'a9.txt', bytes: 100 },
      { name: 'a10.txt', path: 'a10.txt', bytes: 100 },
      { name: 'b.txt', path: 'b.txt', bytes: 100 },
    ],
    totals: { files: 6, bytes: 600 },
  });
});

test('compares the first 64 letters of names as people do, and then their signs', () => {
  const begin = 'a'.repeat(64);
  const names = [`${begin}10`, `${begin}9`, `${begin}9`.replace('a', 'A')];
  expect(listFolder(aManifest(...names), '').files.map(({ name }) => name)).toEqual([
    names[2],
    names[0],
    names[1],
  ]);
});

test('lists a folder by itself', () => {
  expect(listFolder(manifest, 'docs/')).toEqual({
    folders: [{ name: 'deep', files: 1, bytes: 100 }],
    files: [{ name: 'x.txt', path: 'docs/x.txt', bytes: 100 }],
    totals: { files: 2, bytes: 200 },
  });
});
