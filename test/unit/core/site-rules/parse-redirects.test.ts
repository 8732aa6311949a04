import { describe, expect, test } from '@jest/globals';
import {
  maxDynamicRedirects,
  maxStaticRedirects,
  parseRedirects,
} from '../../../../core/site-rules/parse-redirects.ts';
import { linesOf } from '../../../../core/site-rules/rules-file.ts';

const rulesOf = (text: string) =>
  parseRedirects(linesOf(text)).rules.map(({ from, to, status, force }) => [
    from,
    to,
    status,
    force,
  ]);

describe('accepted', () => {
  test.each([
    ['/a /b', ['/a', '/b', 301, false]],
    ['/a /b 302', ['/a', '/b', 302, false]],
    ['/a\t \t/b   303', ['/a', '/b', 303, false]],
    ['  /a /b 307  ', ['/a', '/b', 307, false]],
    ['/a /b 308 # for good', ['/a', '/b', 308, false]],
    ['/a /b # as told', ['/a', '/b', 301, false]],
    ['/a https://example.org/b?c=d#e 302', ['/a', 'https://example.org/b?c=d#e', 302, false]],
    ['/a http://localhost:8080/', ['/a', 'http://localhost:8080/', 301, false]],
    ['/* /index.html 200', ['/*', '/index.html', 200, false]],
    ['/en/* /en/404.html 404', ['/en/*', '/en/404.html', 404, false]],
    ['/app/* /app.html 200!', ['/app/*', '/app.html', 200, true]],
    ['/old/* /new/:splat 301!', ['/old/*', '/new/:splat', 301, true]],
    [
      '/:year/:month.html /archive?y=:year&m=:month',
      ['/:year/:month.html', '/archive?y=:year&m=:month', 301, false],
    ],
    ['/* https://example.org/:splat 302!', ['/*', 'https://example.org/:splat', 302, true]],
    ['/caf%C3%A9 /neu/café', ['/caf%C3%A9', '/neu/caf%C3%A9', 301, false]],
    ['/* /index.html 301', ['/*', '/index.html', 301, false]],
  ])('%s', (line, rule) => {
    const { rules, invalid } = parseRedirects(linesOf(line));
    expect(invalid).toEqual([]);
    expect(rules.map(({ from, to, status, force }) => [from, to, status, force])).toEqual([rule]);
  });

  test('comments, empty lines, CRLF and a byte order mark are ignored, and lines keep their numbers', () => {
    const text = '\uFEFF# moved\r\n\r\n/a /b\r\n   # indented\r\n/c /d 302\r\n';
    const pattern = { parts: [expect.any(String)], splatAt: -1 };
    expect(parseRedirects(linesOf(text))).toEqual({
      rules: [
        { line: 3, from: '/a', to: '/b', status: 301, force: false, pattern },
        { line: 5, from: '/c', to: '/d', status: 302, force: false, pattern },
      ],
      invalid: [],
    });
  });

  test('an invalid line does not affect other lines', () => {
    expect(rulesOf('/a /b\nnonsense\n/c /d')).toEqual([
      ['/a', '/b', 301, false],
      ['/c', '/d', 301, false],
    ]);
  });
});

describe('ignored with a warning', () => {
  test.each([
    ['/a', 'A rule needs'],
    ['a /b', 'must begin with one slash'],
    ['//a /b', 'must begin with one slash'],
    ['/a//b /c', 'must begin with one slash'],
    ['/%zz /b', 'must begin with one slash'],
    ['/a b', 'A target must be a path'],
    ['/a //evil.example/', 'must begin with https://'],
    ['/a /\\evil.example/', 'must begin with https://'],
    ['/a /b\\c', 'cannot contain a backslash'],
    ['/a javascript:alert(1)', 'A target must be a path'],
    ['/a https://', 'A target must be a path'],
    ['/a https://a b', 'not one of'],
    ['/a https://user@example.org/', 'cannot contain a placeholder or a user name'],
    ['/a https://ex[ample/', 'host of the target'],
    [`/a https://x${'\u0344'.repeat(300)}/`, 'host of the target'],
    ['/:host https://:host/', 'cannot contain a placeholder or a user name'],
    ['/* https://:splat 302', 'cannot contain a placeholder or a user name'],
    ['/a https://example.org/b 200', 'no proxying'],
    ['/a https://example.org/b 404', 'no proxying'],
    ['/a /b 200!!', 'not one of'],
    ['/a /b 418', 'not one of'],
    ['/a /b !', 'not one of'],
    ['/a /b 301 302', 'an optional status'],
    ['/a?b=1 /c', 'query is not supported'],
    ['/a id=:id /c/:id 301', 'query parameters is not supported'],
    ['/a /b 302 Country=de,at', 'not supported'],
    ['/a /b Language=de', 'not supported'],
    ['/a /b 200! Role=admin', 'not supported'],
    ['https://*.example.org/* https://example.org/:splat', 'must be a whole name'],
    ['https://:team.example.org/ /teams/:team', 'must be a whole name'],
    ['https://example.org:8080/ /a', 'must be a whole name'],
    ['https://example.org/* https://EXAMPLE.org/:splat', 'redirects to itself'],
    ['https://example.org/a https://example.org/a/', 'redirects to itself'],
    ['https://example.org/* http://example.org/b 301!', 'redirects to itself'],
    ['/a /:b', 'placeholder :b that the path does not have'],
    ['/a /b/:splat', 'has no `*`'],
    ['/*/* /b', 'more than one `*`'],
    ['/:a/:a /b', 'the same placeholder twice'],
    ['/:a-:b /b', 'more than one wildcard'],
    ['/a /a', 'redirects to itself'],
    ['/a /a/ 302', 'redirects to itself'],
    ['/a /a?b=c', 'redirects to itself'],
    ['/a/* /a/:splat', 'redirects to itself'],
    ['/* /there 301!', 'redirects to itself'],
    ['/a/* /a/b/:splat 302!', 'redirects to itself'],
    ['/a /b\u0000', 'Control characters are not allowed'],
    ['/a /b\rSet-Cookie:x=y', 'Control characters are not allowed'],
    ['/a /b\u2028', 'Control characters are not allowed'],
    [`/a /${'b'.repeat(2000)}`, '2000 characters'],
    [`/a /${'\u00e9'.repeat(1900)}`, 'at most 8000 characters'],
  ])('%j', (line, message) => {
    const { rules, invalid } = parseRedirects(linesOf(`# first\n${line}`));
    expect(rules).toEqual([]);
    expect(invalid).toEqual([{ line: 2, text: line, message: expect.stringContaining(message) }]);
  });

  test.each([
    ['without wildcards', maxStaticRedirects, (n: number) => `/a${n} /b`],
    ['with wildcards', maxDynamicRedirects, (n: number) => `/a${n}/* /b`],
  ])('rules %s over their limit', (_, limit, line) => {
    const text = Array.from({ length: limit + 2 }, (__, index) => line(index)).join('\n');
    const { rules, invalid } = parseRedirects(linesOf(text));
    expect(rules).toHaveLength(limit);
    expect(invalid.map((one) => one.line)).toEqual([limit + 1, limit + 2]);
    expect(invalid[0]?.message).toContain(String(limit));
  });
});
