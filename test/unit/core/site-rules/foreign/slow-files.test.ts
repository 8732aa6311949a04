import { expect, test } from '@jest/globals';
import { nameForContent } from '../../../../../core/content/name-content.ts';
import {
  readSourcePaths,
  vercelPaths,
} from '../../../../../core/site-rules/foreign/source-path.ts';
import { collectSiteRules } from '../../../../../core/site-rules/collect-site-rules.ts';

const space = ' '.repeat(250_000);

/** A path of 499 wildcards, and lines of 998 placeholders below it. */
function wildcards(lines: number): string {
  const path = Array.from(
    { length: 499 },
    (_, at) => `:${at.toString(26).replace(/\d/g, (d) => 'qrstuvwxyz'[Number(d)] ?? '')}`,
  );
  const value = `x-a: ${':z'.repeat(998)}`;
  return `/${path.join('/')}\n${`  ${value}\n`.repeat(lines)}`;
}

/** Each takes minutes or hours where a reader needs the square of its length in steps, or more. */
const files: [name: string, path: string, text: string][] = [
  ['a default export and spaces', 'functions/a.js', `export default function${space}${space}x`],
  ['an export and line breaks', 'api/a.js', `export default${'\n'.repeat(1_000_000)}x`],
  ['a module and tabs', 'functions/a.js', `module.exports =${'\t'.repeat(1_000_000)}(x`],
  ['many exports', 'functions/a.js', 'export{'.repeat(140_000)],
  ['many handlers', 'functions/a.js', `export const handler${space}`.repeat(4)],
  ['many lines of one name', 'netlify.toml', 'a\n'.repeat(120_000)],
  [
    'a header of spaces',
    'netlify.toml',
    `[[headers]]\nfor = "/*"\n[headers.values]\nx-a = '''a${space.slice(0, 200_000)}b'''\n`,
  ],
  ['many routes', 'vercel.json', `{"routes":[${'{},\n'.repeat(60_000)}{}]}`],
  [
    'a path of many groups',
    'vercel.json',
    JSON.stringify({ redirects: [{ source: '/:a'.repeat(80_000), destination: '/' }] }),
  ],
  [
    'long words in a long target',
    'vercel.json',
    JSON.stringify({
      redirects: [
        {
          source: `/(${Array.from({ length: 40 }, (_, at) => `w${at}`.padEnd(1000, 'w')).join('|')})`,
          destination: `/${'$1'.repeat(100_000)}`,
        },
      ],
    }),
  ],
  ['a folder of slashes', 'firebase.json', `{"functions":{"source":"a${'/'.repeat(250_000)}b"}}`],
  ['another one', 'netlify.toml', `[build]\nfunctions = "a${'/'.repeat(250_000)}b"\n`],
  [
    'a choice after a choice',
    'vercel.json',
    JSON.stringify({
      redirects: Array.from({ length: 120 }, (_, at) => ({
        source: `/${at}(${'b|'.repeat(39)}b)${':a'.repeat(124)}(${'.|'.repeat(779)}.)`,
        destination: '/',
      })),
    }),
  ],
  ['many wildcards and placeholders', '_headers', wildcards(500)],
  ['many redirects', 'firebase.json', `{"hosting":{"redirects":[${'{},\n'.repeat(60_000)}{}]}}`],
];

test.each(files)(
  'a file of another host with %s is read in one pass',
  async (_, path, text) => {
    const bytes = Buffer.from(text);
    async function* uploaded() {
      yield { path, size: bytes.length, content: [bytes] };
    }
    const collected = collectSiteRules('site', uploaded(), 60_000);
    for await (const { content } of collected.files) for await (const _ of content);
    expect(collected.rules()).toBeDefined();
  },
  20_000,
);

test('a source of more than 128 pieces, or too long for a line, is no path of ours', () => {
  const paths = (source: string) => readSourcePaths(source, vercelPaths);
  expect(paths('/:a'.repeat(64))).toHaveLength(1);
  expect(paths(`${'/:a'.repeat(64)}/b`)).toBeUndefined();
  expect(paths(`/${'a'.repeat(1999)}`)).toHaveLength(1);
  expect(paths(`/${'a'.repeat(2000)}`)).toBeUndefined();
});

test('a source whose choices make more than forty paths is no path of ours', () => {
  const words = (count: number) =>
    `(${Array.from({ length: count }, (_, at) => `w${at}`).join('|')})`;
  expect(readSourcePaths(`/${words(40)}`, vercelPaths)).toHaveLength(40);
  expect(readSourcePaths(`/${words(41)}`, vercelPaths)).toBeUndefined();
  expect(readSourcePaths(`/${words(7)}/${words(6)}`, vercelPaths)).toBeUndefined();
});

test('a target that grows beyond a line by its groups is cut where it is refused', () => {
  const [path] = readSourcePaths(`/(${'w'.repeat(1000)})`, vercelPaths) ?? [];
  expect(path?.target('$1'.repeat(900)).length).toBe(2001);
});

test('a type of spaces says nothing about a file', () => {
  expect(nameForContent(Buffer.from('x'), `${space}text/plain${space}`)).toBe(
    nameForContent(Buffer.from('x'), ''),
  );
}, 20_000);
