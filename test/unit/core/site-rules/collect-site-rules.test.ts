import { describe, expect, test } from '@jest/globals';
import type { IncomingFile } from '../../../../core/content/prepare-upload.ts';
import {
  maxRulesFileBytes,
  collectSiteRules,
} from '../../../../core/site-rules/collect-site-rules.ts';
import { decodeRules } from '../../../../core/site-rules/site-rules.ts';

async function* uploaded(files: Record<string, string>): AsyncGenerator<IncomingFile> {
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const half = Math.floor(bytes.length / 2);
    const content = [bytes.subarray(0, half), bytes.subarray(half)];
    yield { path, size: bytes.length, content };
  }
}

/** What passed, and what was noted on the way. */
async function note(kind: 'site' | 'bundle', files: Record<string, string>, limitMs?: number) {
  const noted = collectSiteRules(kind, uploaded(files), limitMs);
  const passed: Record<string, string> = {};
  for await (const { path, content } of noted.files) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    passed[path] = Buffer.concat(chunks).toString();
  }
  return { passed, ...noted.rules() };
}

test('rules that take too long are left out, and those that hide functions stay', async () => {
  const { rules, warnings } = await note(
    'site',
    {
      'functions/a.js': 'export const onRequest = () => 1',
      // The first reader has a millisecond, however small its limit is.
      'vercel.json': JSON.stringify({
        redirects: Array.from({ length: 20_000 }, (_, at) => ({
          source: `/a${at}`,
          destination: '/b',
        })),
      }),
      _redirects: '/a /b\n',
      _headers: '/*\n  x-a: b\n'.repeat(50_000),
    },
    Number.MIN_VALUE,
  );
  expect(warnings?.map(({ file }) => file)).toEqual([
    'vercel.json',
    '_redirects',
    '_headers',
    'functions/',
  ]);
  expect(warnings?.[1]?.message).toContain('takes too long to read');
  expect(decodeRules(rules).redirects.map(({ from }) => from)).toEqual(['/functions/*']);
});

describe('files of an upload', () => {
  const files = {
    'index.html': '<h1>é',
    _redirects: '/é /b\nnonsense',
    'docs/_redirects': '/c /d',
    _headers: '/*\n  X-A: 1',
  };

  test('pass unchanged, and those at the top are read', async () => {
    const { passed, rules, warnings } = await note('site', files);
    expect(passed).toEqual(files);
    expect(decodeRules(rules)).toMatchObject({
      redirects: [{ from: '/é', to: '/b' }],
      headers: [{ path: '/*', set: [['x-a', '1']] }],
    });
    expect(warnings).toMatchObject([{ file: '_redirects', line: 2 }]);
  });

  const redirects = '# é\n/a /b\n/c /d 302';
  const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
  test.each<[string, Uint8Array]>([
    ['UTF-8 with its mark', Buffer.from(`\uFEFF${redirects}`)],
    ['UTF-16 with its mark', Buffer.from(`\uFEFF${redirects}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(redirects, 'utf16le')],
    ['big-endian UTF-16 with its mark', swapped(`\uFEFF${redirects}`)],
    ['big-endian UTF-16 without a mark', swapped(redirects)],
    [
      'UTF-16 that ends within a character',
      Buffer.from(`${redirects}\n\n`, 'utf16le').subarray(0, -1),
    ],
    ['lines that end in CR', Buffer.from(redirects.replaceAll('\n', '\r'))],
    ['lines that end in CR LF', Buffer.from(redirects.replaceAll('\n', '\r\n'))],
  ])('are read in %s', async (_, bytes) => {
    async function* upload(): AsyncGenerator<IncomingFile> {
      yield { path: '_redirects', size: bytes.length, content: [bytes] };
    }
    const noted = collectSiteRules('site', upload());
    for await (const file of noted.files) expect(file.content).toEqual([Buffer.from(bytes)]);
    const { rules } = noted.rules();
    expect(decodeRules(rules).redirects).toMatchObject([
      { line: 2, from: '/a', to: '/b' },
      { line: 3, from: '/c', to: '/d', status: 302 },
    ]);
  });

  test('of more lines than are read say so before they say what is wrong with each', async () => {
    const long = { _redirects: 'nonsense\n'.repeat(10_001), _headers: 'nonsense\n'.repeat(10_001) };
    const { warnings = [] } = await note('site', long);
    expect(warnings).toHaveLength(50);
    const cutOff = { line: 10_001, message: expect.stringContaining('all that follow') };
    expect(warnings.slice(0, 2)).toMatchObject([
      { file: '_redirects', ...cutOff },
      { file: '_headers', ...cutOff },
    ]);
    expect(warnings[2]).toMatchObject({ file: '_redirects', line: 1 });
  });

  test('of a bundle are only files', async () => {
    expect(await note('bundle', files)).toEqual({ passed: files });
  });

  test('without rules produce no rules', async () => {
    expect(await note('site', { 'index.html': 'a' })).toEqual({ passed: { 'index.html': 'a' } });
  });

  test('too large for rules pass unchanged, with a warning', async () => {
    const large = { _redirects: '#'.repeat(maxRulesFileBytes + 1), _headers: '/*\n  X-A: 1' };
    const { passed, rules, warnings } = await note('site', large);
    expect(passed).toEqual(large);
    expect(decodeRules(rules).headers).toHaveLength(1);
    expect(warnings).toEqual([
      { file: '_redirects', line: 1, message: expect.stringContaining('not read') },
    ]);
  });
});
