import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkPath, collisionKey, findCollision } from '../../../../core/content/safe-path.ts';

describe('checkPath', () => {
  test.each([
    ['a file', 'index.html'],
    ['folders', 'assets/img/logo 2.png'],
    ['dots inside of names', '.well-known/..a/b..c/...'],
    ['a colon that is no drive letter', 'notes/10:30.txt'],
    ['other scripts and emoji', 'дом/日本/👩‍👩‍👧.txt'],
    ['exactly 32 segments', Array(32).fill('a').join('/')],
    ['exactly 1,024 bytes', 'é'.repeat(512)],
    ['a reserved name that is not the first segment', 'a/_slipway/b'],
    ['a name that only begins as the reserved one', '_slipway2/b'],
  ])('takes %s', (_, path) => {
    expect(checkPath(path)).toEqual({ ok: true, path });
  });

  test.each(['./a/b.c', '././a/b.c'])('takes the beginning off %s', (path) => {
    expect(checkPath(path)).toEqual({ ok: true, path: 'a/b.c' });
  });

  test('a reserved name stays reserved behind it', () => {
    expect(checkPath('./_slipway/a')).toMatchObject({ ok: false, reserved: true });
  });

  test('returns the path in NFC and measures it in NFC', () => {
    const decomposed = 'e\u0301'.repeat(512);
    expect(Buffer.byteLength(decomposed)).toBeGreaterThan(1024);
    expect(checkPath(decomposed)).toEqual({ ok: true, path: '\u00e9'.repeat(512) });
  });

  test.each([
    ['nothing', '', 'no name'],
    ['1,025 bytes', 'a'.repeat(1025), '1024 bytes'],
    ['33 segments', Array(33).fill('a').join('/'), '32 segments'],
    ['an absolute path', '/etc/passwd', 'absolute'],
    ['a network path', '//host/share', 'absolute'],
    ['a parent folder', '../a', '".."'],
    ['a parent folder inside', 'a/../../b', '".."'],
    ['a parent folder at the end', 'a/..', '".."'],
    ['the current folder alone', '.', '"."'],
    ['the current folder inside', 'a/./b', '"."'],
    ['the current folder and a parent', './../a', '".."'],
    ['the current folder and an absolute path', './/a', 'absolute'],
    ['the current folder and a drive letter', './c:/a', 'drive letter'],
    ['nothing but the current folder', './', 'no name'],
    ['an empty segment', 'a//b', 'empty segment'],
    ['a final slash', 'a/', 'empty segment'],
    ['a backslash', 'a\\..\\b', 'backslash'],
    ['a drive letter', 'C:/a', 'drive letter'],
    ['a drive letter without a slash', 'c:a', 'drive letter'],
    ['NUL', 'a\u0000.html', 'control character'],
    ['a line feed', 'a\nb', 'control character'],
    ['DEL', 'a\u007f', 'control character'],
    ['C1', 'a\u0085', 'control character'],
    ['a line separator', 'a\u2028', 'control character'],
    ['a paragraph separator', 'a\u2029', 'control character'],
    ['a right-to-left override', 'a\u202egpj.exe', 'control character'],
    ['a bidirectional isolate', 'a\u2066', 'control character'],
    ['an Arabic letter mark', 'a\u061c', 'control character'],
    ['half of a surrogate pair', 'a\ud800', 'control character'],
    ['31 marks on a letter', `a${'\u0301'.repeat(31)}`, '30 combining marks'],
    ['marks that take long to put in order', '\u0301\u0316'.repeat(250), '30 combining marks'],
  ])('refuses %s', (_, path, rule) => {
    expect(checkPath(path)).toEqual({ ok: false, rule: expect.stringContaining(rule) });
  });

  test.each(['_slipway', '_slipway/unlock', '_SlipWay/a', '_ſlipway/a'])(
    'refuses %s as reserved',
    (path) => {
      expect(checkPath(path)).toMatchObject({ ok: false, reserved: true });
    },
  );

  test('is idempotent: a returned path is accepted unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const check = checkPath(raw);
        if (check.ok) expect(checkPath(check.path)).toEqual(check);
      }),
    );
  });
});

describe('collisionKey', () => {
  test.each([
    ['case', 'Index.HTML', 'index.html'],
    ['normalisation', 'e\u0301', '\u00e9'],
    ['normalisation and case', 'E\u0301', '\u00e9'],
    ['sharp s', 'straße', 'STRASSE'],
    ['capital sharp s', 'STRAẞE', 'strasse'],
    ['final sigma', 'ΣΑΣ', 'σασ'],
    ['dotted I', '\u0130', 'i\u0307'],
    ['long s', 'ſ', 'S'],
    ['Kelvin sign', '\u212a', 'k'],
  ])('is the same for paths that differ by %s', (_, one, other) => {
    expect(collisionKey(one)).toBe(collisionKey(other));
  });

  test('is different for different paths', () => {
    expect(collisionKey('a/b')).not.toBe(collisionKey('a/c'));
  });

  test('does not depend on the case or normalisation of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const key = collisionKey(text);
        const forms = [text.toUpperCase(), text.toLowerCase(), text.normalize('NFD'), key];
        expect(forms.map(collisionKey)).toEqual(forms.map(() => key));
      }),
    );
  });
});

describe('findCollision', () => {
  test.each([
    ['the same path twice', ['a', 'b', 'a'], { path: 'a', other: 'a' }],
    ['a path in two Unicode forms', ['e\u0301', '\u00e9'], { path: '\u00e9', other: 'e\u0301' }],
    ['a file that is also a folder', ['a/b', 'a'], { path: 'a/b', other: 'a' }],
    ['such a file further down', ['x', 'a/b/c', 'a/b'], { path: 'a/b/c', other: 'a/b' }],
    ['a file beside a folder of that name', ['a', 'a/'], { path: 'a/', other: 'a' }],
    ['a folder twice', ['a/', 'a/'], { path: 'a/', other: 'a/' }],
  ])('finds %s, and names both (fault 1)', (_, paths, found) => {
    expect(findCollision(paths)).toEqual(found);
  });

  test.each([
    ['files with a common beginning', ['a', 'ab', 'b/a', 'a.b/c']],
    ['folders and the files in them', ['a/', 'a/b/', 'a/b/c']],
    ['files that differ by case alone, as rustdoc makes them', ['fn.AD0.html', 'fn.ad0.html']],
    ['a file and a folder that differ by case alone', ['A', 'a/b']],
    ['folders that differ by case alone', ['A/', 'A/x', 'a/', 'a/y']],
  ])('accepts %s (fault 1)', (_, paths) => {
    expect(findCollision(paths)).toBeUndefined();
  });
});
