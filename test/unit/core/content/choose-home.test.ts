import { describe, expect, test } from '@jest/globals';
import { chooseHome } from '../../../../core/content/choose-home.ts';

describe('in a ZIP', () => {
  test('one HTML file is the home page', () => {
    expect(chooseHome(['a/b.html'], undefined, true)).toBe('a/b.html');
  });
  test('none makes no site', () => {
    expect(chooseHome([], undefined, true)).toBeNull();
  });
  test('of several, one must be named, the likeliest first', () => {
    const pages = ['z.html', 'docs/index.html', 'index.html', 'a.html'];
    expect(() => chooseHome(pages, undefined, true)).toThrow(
      expect.objectContaining({
        code: 'ZIP_MULTIPLE_HTML',
        fields: expect.objectContaining({
          htmlPaths: ['index.html', 'a.html', 'z.html', 'docs/index.html'],
        }),
      }),
    );
    expect(chooseHome(pages, 'z.html', true)).toBe('z.html');
  });
  test('may be named with the folder that was dropped from every path', () => {
    expect(chooseHome(['a.html', 'b.html'], 'site/b.html', true, 'site/')).toBe('b.html');
    expect(() => chooseHome(['a.html', 'b.html'], 'web/b.html', true, 'site/')).toThrow(
      expect.objectContaining({ code: 'ZIP_MULTIPLE_HTML' }),
    );
  });
  test('a name that is not there is refused with the ones that are', () => {
    expect(() => chooseHome(['a.html'], 'b.html', true)).toThrow(
      expect.objectContaining({ code: 'ZIP_MULTIPLE_HTML' }),
    );
  });
  test('a name where there is no HTML at all is refused plainly', () => {
    expect(() => chooseHome([], 'b.html', true)).toThrow(
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
    expect(chooseHome(pages, undefined, false)).toBe(home);
  });
});
