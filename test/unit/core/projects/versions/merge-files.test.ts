import { describe, expect, test } from '@jest/globals';
import { StoreId } from '../../../../../core/content/content-keys.ts';
import { CodedError } from '../../../../../core/errors.ts';
import { type FileMerge, planMerge } from '../../../../../core/projects/versions/merge-files.ts';
import type { Version } from '../../../../../core/projects/project.ts';
import type { FileEntry } from '../../../../../core/visit/manifest.ts';

const store = StoreId.parse('a1');
const entry = (kept?: string): FileEntry => ({
  size: 1,
  hash: 'h',
  ...(kept && { storedAt: kept }),
});

/** A live version of these files; a site whose first HTML file is its home unless told otherwise. */
function live(paths: readonly string[], changes: Partial<Pick<Version, 'type' | 'home'>> = {}) {
  const home = paths.find((path) => path.endsWith('.html')) ?? null;
  const files = new Map(paths.map((path) => [path, entry()]));
  return { type: home === null ? 'files' : 'html', home, store, files, ...changes } as const;
}

const merge = (sent: readonly string[], deleted: readonly string[] = []): FileMerge => ({
  sent: new Map(sent.map((path) => [path, Buffer.from('new')])),
  deleted,
});
const roomy = { maxFilesPerProject: 1000 };
const bundleOfPages = live(['a.html', 'b.txt'], { type: 'files', home: null });

describe('what stays', () => {
  const was = {
    ...live(['index.html', 'a.css', 'b.css']),
    files: new Map([
      ['index.html', entry()],
      ['a.css', entry('b2')],
      ['b.css', entry('c3/0123')],
      ['c.css', entry()],
    ]),
  };

  test('keeps its order and its place; new files are last', () => {
    const { paths, unchanged } = planMerge(was, merge(['new.css', 'a.css'], ['c.css']), roomy);
    expect(paths).toEqual(['index.html', 'a.css', 'b.css', 'new.css']);
    expect([...unchanged]).toEqual([
      ['index.html', entry('a1')],
      ['b.css', entry('c3/0123')],
    ]);
  });
});

describe('what it becomes', () => {
  const pages = ['index.html', 'about.html', 'a.css'];
  const zip = live(pages, { type: 'zip', home: 'about.html' });
  const rules = { type: 'zip', home: 'index.html' } as const;
  test.each([
    ['a site of several pages keeps its home', zip, ['c.html'], [], 'zip', 'about.html'],
    ['a page that is replaced stays the home', zip, ['about.html'], [], 'zip', 'about.html'],
    [
      'a home that left gives way to the likeliest',
      zip,
      ['x.html'],
      ['about.html'],
      'zip',
      'index.html',
    ],
    [
      'a ZIP without pages is a bundle',
      live(['i.html', 'a.css'], { type: 'zip' }),
      [],
      ['i.html'],
      'files',
      null,
    ],
    ['a site of rules stays one', live(['_redirects'], rules), ['a.css'], [], 'zip', 'index.html'],
    ['a site of rules gets a home', live(['_redirects'], rules), ['a.htm'], [], 'zip', 'a.htm'],
    [
      'a site of which only rules are left stays one',
      live(['index.html', '_redirects']),
      [],
      ['index.html'],
      'html',
      'index.html',
    ],
    [
      'a ZIP of which one picture is left too',
      live(['i.html', 'a.png'], { type: 'zip' }),
      [],
      ['i.html'],
      'files',
      null,
    ],
    [
      'files of which one picture is left are that',
      live(['i.html', 'a.png']),
      [],
      ['i.html'],
      'image',
      null,
    ],
    [
      'one document and another are a bundle',
      live(['a.pdf'], { type: 'pdf' }),
      ['b.pdf'],
      [],
      'files',
      null,
    ],
    [
      'a document that is replaced is one',
      live(['a.pdf'], { type: 'pdf' }),
      ['a.pdf'],
      [],
      'pdf',
      null,
    ],
    [
      'a document and a page are a site',
      live(['a.pdf'], { type: 'pdf' }),
      ['b.html'],
      [],
      'html',
      'b.html',
    ],
    [
      'a document that made way for a page too',
      live(['a.pdf'], { type: 'pdf' }),
      ['b.html'],
      ['a.pdf'],
      'html',
      'b.html',
    ],
    [
      'files that get a page are a site',
      live(['a.txt', 'b.txt']),
      ['index.html'],
      [],
      'html',
      'index.html',
    ],
    ['a bundle of pages stays one', bundleOfPages, ['index.html'], [], 'files', null],
    ['a bundle of pages stays one without them', bundleOfPages, [], ['a.html'], 'files', null],
    ['a bundle of one document stays one', live(['a.pdf']), ['index.html'], [], 'files', null],
    ['a ZIP of one file is such a bundle', live(['a.png']), ['a.png'], [], 'files', null],
  ] as const)('%s', (_, was, sent, deleted, type, home) => {
    expect(planMerge(was, merge(sent, deleted), roomy)).toMatchObject({ type, home });
  });
});

function refusal(run: () => unknown): CodedError {
  try {
    run();
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('refuses', () => {
  const site = live(['index.html', 'Docs/Über.txt', 'a.txt']);
  test.each([
    ['a file where a folder is', ['Docs'], [], ['"Docs"', '"Docs/Über.txt"']],
    ['a folder where a file is', ['a.txt/b.txt'], [], ['"a.txt/b.txt"', '"a.txt"']],
    ['to delete what is not there', [], ['b.txt'], ['"b.txt"', 'not a file']],
    [
      'to delete another spelling, and tells the right one',
      [],
      ['A.txt'],
      ['"A.txt"', '"a.txt" is'],
    ],
    [
      'to delete a folder, and tells how many files it has',
      [],
      ['Docs'],
      ['"Docs"', 'folder of 1'],
    ],
    ['to delete a folder with its slash', [], ['Docs/'], ['"Docs/"', 'folder of 1']],
    ['to delete everything', [], ['index.html', 'Docs/Über.txt', 'a.txt'], ['all 3 files']],
  ])('%s', (_, sent, deleted, texts) => {
    const error = refusal(() => planMerge(site, merge(sent, deleted), roomy));
    expect(error.code).toBe('INVALID_REQUEST');
    for (const text of texts) expect(error.message).toContain(text);
  });

  test('another spelling of a path that the same change deletes', () => {
    const { paths } = planMerge(site, merge(['A.TXT'], ['a.txt']), roomy);
    expect(paths).toEqual(['index.html', 'Docs/Über.txt', 'A.TXT']);
  });

  test('more files than the plan allows, with both figures, and nothing that does not grow', () => {
    const many = live(Array.from({ length: 10 }, (_, at) => `${at}.txt`));
    const plan = (limit: number, change: FileMerge) => () =>
      planMerge(many, change, { maxFilesPerProject: limit });
    const error = refusal(plan(10, merge(['new.txt'])));
    expect(error.code).toBe('TOO_MANY_FILES');
    expect(error.message).toMatch(/\b11\b.*\b10\b/);
    expect(plan(11, merge(['new.txt']))().paths).toHaveLength(11);
    expect(plan(-1, merge(['new.txt']))().paths).toHaveLength(11);
    // The plan was larger once.
    expect(plan(5, merge(['1.txt'], ['2.txt']))().paths).toHaveLength(9);
    expect(plan(5, merge(['new.txt'], ['2.txt']))().paths).toHaveLength(10);
    expect(refusal(plan(5, merge(['x.txt', 'y.txt'], ['2.txt']))).code).toBe('TOO_MANY_FILES');
  });

  test('a hundred thousand wrong deletions with a short message', () => {
    const paths = Array.from({ length: 100_000 }, (_, at) => `nowhere/${'x'.repeat(500)}${at}`);
    const error = refusal(() => planMerge(site, merge([], paths), roomy));
    expect(JSON.stringify(error.body).length).toBeLessThan(8000);
    expect(error.message).toContain('99999 more');
  });
});

test('handles a site of 20,000 files quickly', () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `folder-${at % 100}/deep/file-${at}.txt`);
  const large = live(['index.html', ...paths]);
  const plan = planMerge(large, merge(['new.txt'], paths.slice(0, 9999)), {
    maxFilesPerProject: 20_000,
  });
  expect(plan.paths).toHaveLength(10_003);
  expect(plan.unchanged.size).toBe(10_002);
});

test('a path of slashes that is no file is refused at once, in a project of many files too', () => {
  const large = live(Array.from({ length: 20_000 }, (_, at) => `${at}.txt`));
  const path = `a${'/'.repeat(8000)}b`;
  expect(() => planMerge(large, merge([], [path]), { maxFilesPerProject: 20_000 })).toThrow(
    CodedError,
  );
}, 20_000);
