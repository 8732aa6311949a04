import { describe, expect, test } from '@jest/globals';
import { CodedError } from '../../../../core/errors.ts';
import { chooseHome } from '../../../../core/content/choose-home.ts';

const zip = { isArchive: true, topFolder: '' };
const inSite = { isArchive: true, topFolder: 'site/' };
const parts = { isArchive: false, topFolder: '' };

describe('in a ZIP', () => {
  test('one HTML file is the home page', () => {
    expect(chooseHome(['a/b.html'], undefined, zip)).toBe('a/b.html');
  });
  test('without HTML it is not a site', () => {
    expect(chooseHome([], undefined, zip)).toBeNull();
  });
  test('with several, one must be named; the error lists the likeliest first', () => {
    const pages = ['z.html', 'docs/index.html', 'index.html', 'a.html'];
    expect(() => chooseHome(pages, undefined, zip)).toThrow(
      expect.objectContaining({
        code: 'ZIP_MULTIPLE_HTML',
        fields: expect.objectContaining({
          htmlPaths: ['index.html', 'a.html', 'z.html', 'docs/index.html'],
        }),
      }),
    );
    const { body } = new CodedError('ZIP_MULTIPLE_HTML', { error: 'Several.', htmlPaths: pages });
    expect(body.nextStep).toMatch(/`zipIndexHtmlPath`.*`asFileBundle: true`/);
    expect(chooseHome(pages, 'z.html', zip)).toBe('z.html');
  });
  test('may be named with the folder that was removed from every path', () => {
    expect(chooseHome(['a.html', 'b.html'], 'site/b.html', inSite)).toBe('b.html');
    expect(() => chooseHome(['a.html', 'b.html'], 'web/b.html', inSite)).toThrow(
      expect.objectContaining({ code: 'ZIP_MULTIPLE_HTML' }),
    );
  });
  test('the pages to choose from are listed as they were sent, and such a path is taken first', () => {
    const pages = ['b.html', 'site/b.html'];
    for (const named of [undefined, 'c.html']) {
      expect(() => chooseHome(pages, named, inSite)).toThrow(
        expect.objectContaining({
          fields: expect.objectContaining({ htmlPaths: ['site/b.html', 'site/site/b.html'] }),
        }),
      );
    }
    expect(chooseHome(pages, 'site/b.html', inSite)).toBe('b.html');
    expect(chooseHome(pages, 'site/site/b.html', inSite)).toBe('site/b.html');
    expect(chooseHome(pages, 'b.html', inSite)).toBe('b.html');
  });
  test('an unknown name is refused with the existing ones', () => {
    expect(() => chooseHome(['a.html'], 'b.html', zip)).toThrow(
      expect.objectContaining({ code: 'ZIP_MULTIPLE_HTML' }),
    );
  });
  test('a name without any HTML file is refused with a clear error', () => {
    expect(() => chooseHome([], 'b.html', zip)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
  });
});

describe('among files', () => {
  test.each([
    [['a.html', 'index.html'], 'index.html'],
    [['sub/index.html', 'b.html', 'a.html'], 'sub/index.html'],
    [['b.html', 'a.html'], 'b.html'],
    [['readme.html', 'app/index.html'], 'app/index.html'],
    [['z/first.html', 'about.html', 'app/index.html', 'app/x/index.html'], 'app/index.html'],
  ])('%j starts at %s', (pages, home) => {
    expect(chooseHome(pages, undefined, parts)).toBe(home);
  });
});
