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

describe('for any content of a file', () => {
  test('it is read without an exception, every line at most once, and sets no header that breaks a response', () => {
    fc.assert(
      fc.property(text, path, fc.string({ maxLength: 20 }), (written, segments, query) => {
        const redirects = parseRedirects(written);
        const headers = parseHeaders(written);
        const asked = readRulePath(`/${segments.map(encodeURIComponent).join('/')}`);
        if (asked === undefined) return;
        const followed = followRedirects(redirects.rules, {
          path: asked,
          query,
          isFound: false,
          find: () => undefined,
        });
        if (followed?.kind === 'redirect') {
          expect(followed.location).toMatch(/^(?:\/(?![/\\])|https?:\/\/)[\x21-\x7e]*$/);
        }
        for (const [name, value] of fieldsFor(headers.rules, asked)) {
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
          redirects: parseRedirects(redirects).rules,
          headers: parseHeaders(headers).rules,
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
  const { rules } = parseRedirects(`/go/* /${':splat/'.repeat(200)} 302`);
  const path = { segments: ['go', ...Array.from({ length: 500 }, () => 'segment')], slash: false };
  const request = { path, query: '', isFound: false, find: () => undefined };
  expect(rules).toHaveLength(1);
  expect(followRedirects(rules, request)).toBeUndefined();
  const block = (index: number) => `/*\n${`  X-${index}: ${'v'.repeat(1900)}\n`.repeat(5)}`;
  const blocks = Array.from({ length: 20 }, (_, index) => block(index)).join('');
  const parsed = parseHeaders(blocks);
  expect(parsed.invalid).toHaveLength(20);
  const fields = [...fieldsFor(parsed.rules, { segments: [], slash: true })];
  expect(fields.join('').length).toBeLessThan(8000);
  expect(fields.length).toBeGreaterThan(0);
});
