import { describe, expect, test } from '@jest/globals';
import { allowedFields } from '../../../../core/site-rules/site-fields.ts';
import {
  decodeRules,
  encodeRules,
  fieldsFor,
  type HeaderRule,
} from '../../../../core/site-rules/site-rules.ts';
import { maxHeaderRules, parseHeaders } from '../../../../core/site-rules/parse-headers.ts';
import { readRulePath } from '../../../../core/site-rules/path-pattern.ts';
import { linesOf } from '../../../../core/site-rules/rules-file.ts';

/** What an answer at `path` gets. */
function fields(text: string, path: string) {
  const requestPath = readRulePath(path);
  if (requestPath === undefined) throw new Error(`no path: ${path}`);
  return Object.fromEntries(fieldsFor(parseHeaders(linesOf(text)).rules, requestPath));
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

describe('a response gets', () => {
  test('the headers of all matching blocks in order; a repeated header is joined or removed', () => {
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

  test('headers also with CRLF, a byte order mark, and lines without indentation', () => {
    const text = '\uFEFF/a\r\nX-One: 1\r\n\r\n  X-Two:2\r\n';
    expect(parseHeaders(linesOf(text)).invalid).toEqual([]);
    expect(fields(text, '/a')).toEqual({ 'x-one': '1', 'x-two': '2' });
  });

  test('the browser’s part of Cache-Control, with a warning about the rest', () => {
    const text = '/a\n  Cache-Control: public, max-age=60, s-maxage=9999, stale-while-revalidate=5';
    expect(fields(text, '/a')).toEqual({ 'cache-control': 'public, max-age=60' });
    expect(parseHeaders(linesOf(text)).invalid).toEqual([
      { line: 2, text: expect.any(String), message: expect.stringContaining('`s-maxage=9999`') },
    ]);
  });
});

test('HSTS is the site’s choice for its own host, and says nothing about others', () => {
  const text = '/*\n  Strict-Transport-Security: max-age=31536000; includeSubDomains; preload';
  expect(fields(text, '/')).toEqual({ 'strict-transport-security': 'max-age=31536000' });
  expect(parseHeaders(linesOf(text)).invalid).toMatchObject([
    { line: 2, message: expect.stringContaining('`includesubdomains` is ignored') },
  ]);
});

test.each([...allowedFields])('%s is passed on', (name) => {
  const value =
    name === 'cache-control' || name === 'strict-transport-security' ? 'max-age=60' : '1';
  expect(fields(`/*\n  ${name}: ${value}`, '/')).toEqual({ [name]: value });
});

test('a header that a stored version has and that no site may set is not sent', () => {
  const set: HeaderRule['set'] = [
    ['nel', '{"report_to":"n","max_age":31536000,"include_subdomains":true}'],
    ['report-to', '{"group":"n","max_age":31536000,"endpoints":[{"url":"https://evil.example/"}]}'],
    ['strict-transport-security', 'max-age=60; includeSubDomains'],
    ['x-kept', '1'],
  ];
  const stored = encodeRules({ redirects: [], headers: [{ line: 1, path: '/*', set, unset: [] }] });
  const sent = fieldsFor(decodeRules(stored).headers, { segments: [], slash: true });
  expect(Object.fromEntries(sent)).toEqual({
    'strict-transport-security': 'max-age=60',
    'x-kept': '1',
  });
});

describe('ignored with a warning', () => {
  test.each([
    ['Set-Cookie: a=b', 'Cookies cannot be set'],
    ['Basic-Auth: user:secret', 'Set a password on the project'],
    ['Location: /a', '_redirects'],
    ['Content-Length: 5', 'The service sets this header itself'],
    ['Content-Encoding: deflate', 'can only be gzip or br'],
    ['Transfer-Encoding: chunked', 'The service sets this header itself'],
    ['Connection: close', 'The service sets this header itself'],
    ['Host: evil.example', 'The service sets this header itself'],
    ['ETag: "a"', 'The service sets this header itself'],
    ['Vary: *', 'The service sets this header itself'],
    ['X-Content-Type-Options: none', 'The service sets this header itself'],
    ['X-Slipway-Host: a', 'The service sets this header itself'],
    ['x-amz-meta-cache-tag: p-other', 'The service sets this header itself'],
    ['X-Amzn-Trace-Id: a', 'The service sets this header itself'],
    ['CloudFront-Viewer-Country: DE', 'The service sets this header itself'],
    ['CDN-Cache-Control: max-age=99999', 'edge'],
    ['Cache-Control: s-maxage=99999', 'Only directives for browsers'],
    ['X-Cache: HIT', 'The service sets this header itself'],
    ['X-Accel-Redirect: /a', 'The service sets this header itself'],
    ['Alt-Svc: h3="evil.example:443"', 'Browsers keep this for the address'],
    ['NEL: {"report_to":"n","max_age":31536000}', 'Browsers keep this for the address'],
    ['Report-To: {"group":"n","max_age":31536000}', 'Browsers keep this for the address'],
    ['Accept-CH: Sec-CH-UA-Model', 'Browsers keep this for the address'],
    ['Critical-CH: Sec-CH-UA-Model', 'Browsers keep this for the address'],
    ['Expect-CT: max-age=86400', 'Browsers keep this for the address'],
    ['Public-Key-Pins: max-age=86400', 'Browsers keep this for the address'],
    ['Origin-Trial: token', 'Browsers keep this for the address'],
    ['Set-Login: logged-in', 'Browsers keep this for the address'],
    ['Use-As-Dictionary: match="/*"', 'Browsers keep this for the address'],
    ['Something-New: 1', 'Sites cannot set this header'],
    ['Strict-Transport-Security: includeSubDomains', 'Only max-age'],
    ['X-Bad: a\u0000b', 'Control characters are not allowed'],
    ['X-Bad: a\rSet-Cookie: b=c', 'Control characters are not allowed'],
    ['X-Bad: caf\u00e9', 'ASCII'],
    ['X-Empty:', 'no value'],
    ['No colon here', 'or a header as'],
    ['X Y: a', 'or a header as'],
    [': a', 'or a header as'],
    ['! X Y', 'Write the removal of a header as'],
    ['!', 'Write the removal of a header as'],
    [`X-Long: ${'a'.repeat(2000)}`, '2000 characters'],
  ])('%j', (line, message) => {
    const text = `/*\n  ${line}\n  X-Good: 1`;
    expect(parseHeaders(linesOf(text)).invalid).toEqual([
      { line: 2, text: `  ${line}`, message: expect.stringContaining(message) },
    ]);
    expect(fields(text, '/')).toEqual({ 'x-good': '1' });
  });

  test('a placeholder of the path in a value is reported, and not sent as it is', () => {
    const text = '/a/:id/*\n  Link: </b/:id>\n  X-A: :splat\n  X-B: 10:30, h:other\n';
    const message = expect.stringContaining('cannot contain the placeholder');
    expect(parseHeaders(linesOf(text)).invalid).toMatchObject([
      { line: 2, message },
      { line: 3, message },
    ]);
    expect(fields(text, '/a/1/2')).toEqual({ 'x-b': '10:30, h:other' });
  });

  test.each([
    ['https://example.org/*', 'other hosts'],
    ['/a/*/b/*', 'more than one `*`'],
    ['//a', 'one slash'],
  ])('a block of %s, reported once', (path, message) => {
    const { rules, invalid } = parseHeaders(linesOf(`${path}\n  X-A: 1\n  X-B: 2`));
    expect(rules).toEqual([]);
    expect(invalid).toEqual([{ line: 1, text: path, message: expect.stringContaining(message) }]);
  });

  test('a header before every path', () => {
    expect(parseHeaders(linesOf('X-A: 1')).invalid[0]?.message).toContain(
      'must come before its headers',
    );
  });

  test('blocks over the limit', () => {
    const blocks = Array.from({ length: maxHeaderRules + 1 }, (_, index) => `/a${index}\n  X-A: 1`);
    const { rules, invalid } = parseHeaders(linesOf(blocks.join('\n')));
    expect(rules).toHaveLength(maxHeaderRules);
    expect(invalid.map(({ line }) => line)).toEqual([2 * maxHeaderRules + 1]);
  });
});

test.each([
  ['Clear-Site-Data: "cookies"', 'cookies that give them access'],
  ['clear-site-data: "*"', 'cookies that give them access'],
  ['__proto__: x', 'cannot be a header'],
])('%s is ignored, with a warning', (line, reason) => {
  const { rules, invalid } = parseHeaders(linesOf(`/*\n  X-Kept: 1\n  ${line}\n`));
  expect(rules.flatMap(({ set }) => set)).toEqual([['x-kept', '1']]);
  expect(invalid).toMatchObject([{ line: 3, message: expect.stringContaining(reason) }]);
});
