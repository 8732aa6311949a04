import { describe, expect, test } from '@jest/globals';
import {
  factsOf,
  fileOf,
  loosePages,
  picked,
  sameFiles,
  withLeftOut,
} from '../../../../web/app/upload/picked.ts';

const file = (path: string, text = path, lastModified = 1) => ({
  path,
  file: new File([text], path, { lastModified }),
});

describe('what was picked', () => {
  test('keeps its paths, without what programs leave in folders', () => {
    const all = ['site/index.html', 'site/.DS_Store', '__MACOSX/site/a'].map((path) => file(path));
    const { name, files } = picked(all);
    expect(name).toBe('site');
    expect(files.map(({ path }) => path)).toEqual(['site/index.html']);
  });

  test('is sent without what is hidden, which can be sent too', () => {
    const all = ['site/.env', 'site/index.html', 'site/.slipwayignore', 'site/node_modules/a.js'];
    const chosen = picked(all.map((path) => file(path)));
    expect(chosen.files.map(({ path }) => path)).toEqual([
      'site/index.html',
      'site/.slipwayignore',
    ]);
    expect(chosen.leftOut.paths).toEqual(['.env', 'node_modules/a.js']);
    expect(chosen.name).toBe('site');
    const every = withLeftOut(chosen);
    expect(every.files.map(({ path }) => path).toSorted()).toEqual(all.toSorted());
    expect(every.leftOut.paths).toEqual([]);
  });

  test('is named after its first file if no folder has it all', () => {
    expect(picked([file('harbour.html'), file('a/b.css')]).name).toBe('harbour');
  });
});

test.each([
  ['two pages', ['a.html', 'b.htm', 'c.css'], ['a.html', 'b.htm']],
  ['two pages in a folder', ['site/a.html', 'site/b.html'], ['site/a.html', 'site/b.html']],
  ['one page', ['a.html', 'c.css'], []],
  ['a home page by its name', ['a.html', 'docs/Index.html'], []],
  ['a default page', ['a.html', 'default.htm'], []],
])('of %s, one has to be chosen where none is named as a home page', (_, paths, asked) => {
  expect(loosePages(picked(paths.map((path) => file(path))))).toEqual(asked);
});

describe('an upload that goes on', () => {
  const before = picked([file('a.css'), file('b.css')]);
  const upload = { files: factsOf(before) };

  test('finds its files among others', () => {
    const again = picked([file('c.css'), file('b.css'), file('a.css')]);
    expect(sameFiles(upload, again)?.files.map(({ path }) => path)).toEqual(['a.css', 'b.css']);
  });

  test.each([
    ['is missing', [file('a.css')]],
    ['has another size', [file('a.css'), file('b.css', 'longer text')]],
    ['was changed', [file('a.css'), file('b.css', 'b.css', 2)]],
  ])('refuses files of which one %s', (_, again) => {
    expect(sameFiles(upload, picked(again))).toBeUndefined();
  });

  test('has its ZIP under whatever path the service announced', () => {
    const zip = picked([file('site.zip')]);
    expect(fileOf(zip, 'archive')).toBe(zip.files[0]?.file);
    expect(fileOf(before, 'archive')).toBeUndefined();
  });
});
