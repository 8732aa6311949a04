import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseHeaders } from '../../../../core/site-rules/parse-headers.ts';
import { parseRedirects } from '../../../../core/site-rules/parse-redirects.ts';
import { readRulePath } from '../../../../core/site-rules/path-pattern.ts';
import {
  decodeRules,
  fieldsFor,
  followRedirects,
  maxRulesBytes,
} from '../../../../core/site-rules/site-rules.ts';
import { readSiteRules } from '../../../../core/site-rules/collect-site-rules.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';
import { linesOf, maxRuleLines } from '../../../../core/site-rules/rules-file.ts';

const word = fc.constantFrom(
  '/',
  '/*',
  '/a',
  '/:a',
  '/:splat',
  ':',
  '*',
  '!',
  '#',
  '200',
  '301!',
  'https://',
  'https://h/',
  '\\',
  '%',
  '%2f',
  '..',
  ' ',
  '\t',
  '\r',
  '\n',
  '\0',
  '\u2028',
  '\uD800',
  '\uFEFF',
  'é',
  'x',
  '?q=:a',
  'X-A: b',
  'Set-Cookie: c',
  '  ',
  ': ',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 60 }).map((words) => words.join('')),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const path = fc.array(fc.constantFrom('a', '..', '%2f', '%5c', ':a', '*', 'é', 'x y'), {
  maxLength: 8,
});

/** RFC 9110 §5.5: what a field takes. */
const fieldText = /^[\x20-\x7e\t]*$/;

test.each([
  ['_redirects', parseRedirects, '/a /b\n'],
  ['_headers', parseHeaders, 'a\n'],
])('of a %s of 100,000 lines the first 10,000 are read, and one line says so', (_, parse, line) => {
  const { rules, invalid } = parse(linesOf(line.repeat(100_000)));
  expect(rules.length + invalid.length).toBe(maxRuleLines + 1);
  expect(invalid.at(-1)).toMatchObject({
    line: maxRuleLines + 1,
    message: expect.stringContaining('all that follow are left out'),
  });
});

describe('for any content of a file', () => {
  test('it is read without an exception, every line at most once, and sets no header that breaks a response', () => {
    fc.assert(
      fc.property(text, path, fc.string({ maxLength: 20 }), (written, segments, query) => {
        const redirects = parseRedirects(linesOf(written));
        const headers = parseHeaders(linesOf(written));
        const requestPath = readRulePath(`/${segments.map(encodeURIComponent).join('/')}`);
        if (requestPath === undefined) return;
        const followed = followRedirects(redirects.rules, {
          path: requestPath,
          query,
          isFound: false,
          suits: () => true,
          find: () => undefined,
        });
        if (followed?.kind === 'redirect') {
          expect(followed.location).toMatch(/^(?:\/(?![/\\])|https?:\/\/)[\x21-\x7e]*$/);
        }
        for (const [name, value] of fieldsFor(headers.rules, requestPath)) {
          expect(name).not.toBe('set-cookie');
          expect(value).toMatch(fieldText);
        }
        const lines = [...redirects.rules, ...redirects.invalid].map(({ line }) => line);
        expect(new Set(lines).size).toBe(lines.length);
      }),
      { numRuns: proofSize({ short: 400, whole: 2000 }) },
    );
  });

  test('encoding and decoding is lossless', () => {
    fc.assert(
      fc.property(text, text, (redirects, headers) => {
        const files = new Map([
          ['_redirects', redirects],
          ['_headers', headers],
        ]);
        expect(decodeRules(readSiteRules(files).rules)).toEqual({
          redirects: parseRedirects(linesOf(redirects)).rules,
          headers: parseHeaders(linesOf(headers)).rules,
        });
      }),
      { numRuns: proofSize({ short: 60, whole: 300 }) },
    );
  });

  test.each([
    ['a line of 100 kB', `/${'a'.repeat(100_000)} /b`],
    ['a line of spaces', ' '.repeat(100_000) + '/a'],
    ['thousands of splats', `/${'*'.repeat(1900)} /b`],
    ['thousands of placeholders', `/${':a'.repeat(900)} /b`],
    ['thousands of segments', `${'/a'.repeat(900)}/*${'/b'.repeat(50)} /b`],
    ['as many lines as fit', '/*/a/a/a/a/a/b /b 302\n'.repeat(40_000)],
  ])('%s', (_, written) => {
    const { warnings = [] } = readSiteRules(
      new Map([
        ['_redirects', written],
        ['_headers', written],
      ]),
    );
    expect(warnings.length).toBeLessThanOrEqual(50);
    for (const { message } of warnings) expect(message.length).toBeLessThanOrEqual(200);
  });
});

test('rules that do not fit are ignored from the last on, with a warning', () => {
  const random = (index: number) => (Math.sin(index) * 1e16).toString(36);
  const long = (index: number) =>
    Array.from({ length: 12 }, (_, at) => random(index * 12 + at)).join('');
  const lines = Array.from({ length: 1900 }, (_, index) => `/${index}-${long(index)} /b`);
  const { rules, warnings = [] } = readSiteRules(new Map([['_redirects', lines.join('\n')]]));
  expect(rules?.length).toBeLessThanOrEqual(maxRulesBytes);
  const { redirects } = decodeRules(rules);
  expect(redirects.length).toBeGreaterThan(100);
  expect(warnings[0]).toMatchObject({ file: '_redirects', line: redirects.length + 1 });
  expect(warnings[0]?.message).toContain('does not fit');
});

test('no rule makes a response whose headers CloudFront would refuse', () => {
  const { rules } = parseRedirects(linesOf(`/go/* /${':splat/'.repeat(200)} 302`));
  const path = { segments: ['go', ...Array.from({ length: 500 }, () => 'segment')], slash: false };
  const request = { path, query: '', isFound: false, find: () => undefined, suits: () => true };
  expect(rules).toHaveLength(1);
  expect(followRedirects(rules, request)).toBeUndefined();
  const block = (index: number) => `/*\n${`  X-${index}: ${'v'.repeat(1900)}\n`.repeat(5)}`;
  const blocks = Array.from({ length: 20 }, (_, index) => block(index)).join('');
  const parsed = parseHeaders(linesOf(blocks));
  // Four of the first block fit; nothing of the others could ever be sent.
  expect(parsed.invalid).toHaveLength(20 * 5 - 4);
  expect(parsed.rules).toHaveLength(1);
  const fields = [...fieldsFor(parsed.rules, { segments: [], slash: true })];
  expect(fields.join('').length).toBeLessThan(8000);
  expect(fields.length).toBeGreaterThan(0);
});

describe('the steps of one request', () => {
  const decodedFrom = (file: '_headers' | '_redirects', text: string) =>
    decodeRules(readSiteRules(new Map([[file, text]])).rules);

  /** Counts how often some properties are read. */
  function counting<T extends object>(value: T, isCounted: (name: string) => boolean) {
    const seen = { times: 0 };
    const watched = new Proxy(value, {
      get(target, name, receiver) {
        if (typeof name === 'string' && isCounted(name)) seen.times += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    return { seen, watched };
  }

  const page = { segments: ['page'], slash: false };
  /** 99 kB: a hundred paths that all match, with fifty headers each. */
  const manyHeaders = Array.from({ length: 100 }, (_, block) => {
    const header = (__: unknown, at: number) => `  x-${block}-${at}: 12345678\n`;
    return `/:a${block}\n${Array.from({ length: 50 }, header).join('')}`;
  }).join('');

  test('end with the header that does not fit, and count no header twice', () => {
    const { headers } = decodedFrom('_headers', manyHeaders);
    expect(headers.flatMap(({ set }) => set)).toHaveLength(5000);
    const watched = headers.map((rule) => {
      const { seen, watched: set } = counting(rule.set, (name) => /^\d+$/.test(name));
      return { seen, rule: { ...rule, set } };
    });
    const maps = Object.getPrototypeOf(fieldsFor([], page));
    const iterate = maps[Symbol.iterator];
    let listed = 0;
    maps[Symbol.iterator] = function list() {
      listed += 1;
      return iterate.call(this);
    };
    const fields = fieldsFor(
      watched.map(({ rule }) => rule),
      page,
    );
    maps[Symbol.iterator] = iterate;
    const reads = watched.reduce((total, { seen }) => total + seen.times, 0);
    expect(fields.size).toBeGreaterThan(300);
    expect(reads).toBeLessThanOrEqual(fields.size + 1);
    expect(listed).toBe(0);
  });

  test('read no pattern', () => {
    const { headers } = decodedFrom('_headers', manyHeaders);
    const { redirects } = decodedFrom('_redirects', '/a /b\n/:a/c /b\n/* /:splat 301\n');
    const all = [...headers, ...redirects].map((rule) =>
      counting(rule, (name) => name === 'path' || name === 'from'),
    );
    const watched = all.map((one) => one.watched);
    const request = {
      path: page,
      query: '',
      isFound: false,
      find: () => undefined,
      suits: () => true,
    };
    fieldsFor(
      watched.filter((rule) => 'set' in rule),
      page,
    );
    followRedirects(
      watched.filter((rule) => 'to' in rule),
      request,
    );
    expect(all.filter(({ seen }) => seen.times > 0)).toEqual([]);
  });

  test.each([
    ['a hundred rules that lead to no file', (n: number) => `/*/b /x${n}/:splat 200`],
    ['a hundred rules that lead to themselves', (n: number) => `/a/* /:splat?${n} 301`],
    ['a rule that repeats what the visitor wrote', () => `/* /${':splat/'.repeat(280)} 200`],
  ])('copy a long address a few times only: %s', (_, line) => {
    const lines = Array.from({ length: 100 }, (__, index) => line(index)).join('\n');
    const { redirects } = decodedFrom('_redirects', lines);
    expect(redirects).toHaveLength(100);
    const segments = Array.from({ length: 3900 }, (__, at) => (at === 3899 ? 'b' : 'a'));
    let copied = 0;
    const find = (path: string) => {
      copied += path.length;
      return undefined;
    };
    const request = {
      path: { segments, slash: false },
      query: '',
      isFound: false,
      find,
      suits: () => true,
    };
    expect(followRedirects(redirects, request)).toBeUndefined();
    expect(copied).toBeLessThan(72_000);
  });
});
