import { describe, expect, test } from '@jest/globals';
import { fieldsFor } from '../../../../core/site-rules/fields-for.ts';
import { maxHeaderRules, parseHeaders } from '../../../../core/site-rules/parse-headers.ts';
import { readRulePath } from '../../../../core/site-rules/path-pattern.ts';

/** What an answer at `path` gets. */
function fields(text: string, path: string) {
  const asked = readRulePath(path);
  if (asked === undefined) throw new Error(`no path: ${path}`);
  return Object.fromEntries(fieldsFor(parseHeaders(text).rules, asked));
}

const sample = `# of every page
/*
  X-Frame-Options: DENY
  Link: </style.css>; rel=preload
  Content-Security-Policy: default-src 'self'; img-src https://example.org

/docs/*
  Link: </docs.css>; rel=preload
  ! X-Frame-Options
/users/:id/photo.jpg
\tCache-Control: max-age=60
`;

describe('what an answer gets', () => {
  test('of all blocks that fit, in their order; the same field twice is joined, and taken away', () => {
    expect(fields(sample, '/')).toEqual({
      'x-frame-options': 'DENY',
      link: '</style.css>; rel=preload',
      'content-security-policy': "default-src 'self'; img-src https://example.org",
    });
    expect(fields(sample, '/docs/a')).toMatchObject({
      link: '</style.css>; rel=preload, </docs.css>; rel=preload',
    });
    expect(fields(sample, '/docs/a')).not.toHaveProperty('x-frame-options');
    expect(fields(sample, '/users/7/photo.jpg')).toMatchObject({ 'cache-control': 'max-age=60' });
    expect(fields(sample, '/users/7/8/photo.jpg')).not.toHaveProperty('cache-control');
  });

  test('also with CRLF, a byte order mark, and fields that are not indented', () => {
    const text = '\uFEFF/a\r\nX-One: 1\r\n\r\n  X-Two:2\r\n';
    expect(parseHeaders(text).invalid).toEqual([]);
    expect(fields(text, '/a')).toEqual({ 'x-one': '1', 'x-two': '2' });
  });

  test('of Cache-Control what is for browsers, and is told of the rest', () => {
    const text = '/a\n  Cache-Control: public, max-age=60, s-maxage=9999, stale-while-revalidate=5';
    expect(fields(text, '/a')).toEqual({ 'cache-control': 'public, max-age=60' });
    expect(parseHeaders(text).invalid).toEqual([
      { line: 2, text: expect.any(String), message: expect.stringContaining('`s-maxage=9999`') },
    ]);
  });
});

describe('what is left out and told', () => {
  test.each([
    ['Set-Cookie: a=b', 'Cookies cannot be set'],
    ['Basic-Auth: user:secret', 'password is set on the project'],
    ['Location: /a', '_redirects'],
    ['Content-Length: 5', 'own'],
    ['content-encoding: br', 'own'],
    ['Transfer-Encoding: chunked', 'own'],
    ['Connection: close', 'own'],
    ['Host: evil.example', 'own'],
    ['ETag: "a"', 'own'],
    ['Vary: *', 'own'],
    ['X-Content-Type-Options: none', 'own'],
    ['X-Slipway-Host: a', 'own'],
    ['x-amz-meta-cache-tag: p-other', 'own'],
    ['X-Amzn-Trace-Id: a', 'own'],
    ['CloudFront-Viewer-Country: DE', 'own'],
    ['CDN-Cache-Control: max-age=99999', 'edge'],
    ['Cache-Control: s-maxage=99999', 'only what is for browsers'],
    ['X-Bad: a\u0000b', 'control character'],
    ['X-Bad: a\rSet-Cookie: b=c', 'control character'],
    ['X-Bad: caf\u00e9', 'ASCII'],
    ['X-Empty:', 'no value'],
    ['No colon here', 'a field is'],
    ['X Y: a', 'a field is'],
    [': a', 'a field is'],
    ['! X Y', 'A removal is'],
    ['!', 'A removal is'],
    [`X-Long: ${'a'.repeat(2000)}`, '2000 characters'],
  ])('%j', (line, message) => {
    const text = `/*\n  ${line}\n  X-Good: 1`;
    expect(parseHeaders(text).invalid).toEqual([
      { line: 2, text: `  ${line}`, message: expect.stringContaining(message) },
    ]);
    expect(fields(text, '/')).toEqual({ 'x-good': '1' });
  });

  test.each([
    ['https://example.org/*', 'other hosts'],
    ['/a/*/b/*', 'more than one `*`'],
    ['//a', 'one slash'],
  ])('a block of %s, told once', (path, message) => {
    const { rules, invalid } = parseHeaders(`${path}\n  X-A: 1\n  X-B: 2`);
    expect(rules).toEqual([]);
    expect(invalid).toEqual([{ line: 1, text: path, message: expect.stringContaining(message) }]);
  });

  test('a field before every path', () => {
    expect(parseHeaders('X-A: 1').invalid[0]?.message).toContain('comes first');
  });

  test('blocks over the limit', () => {
    const blocks = Array.from({ length: maxHeaderRules + 1 }, (_, index) => `/a${index}\n  X-A: 1`);
    const { rules, invalid } = parseHeaders(blocks.join('\n'));
    expect(rules).toHaveLength(maxHeaderRules);
    expect(invalid.map(({ line }) => line)).toEqual([2 * maxHeaderRules + 1]);
  });
});
