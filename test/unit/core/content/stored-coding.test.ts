import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { innerType, storedCodings } from '../../../../core/content/stored-coding.ts';

const text = Buffer.from('function boats() { return "harbour"; }\n'.repeat(2000));

test.each([
  ['a.js.gz', gzipSync(text), 'gzip'],
  ['a.bin', gzipSync(text), 'gzip'],
  ['a.data.unityweb', gzipSync(text), 'gzip'],
  ['a.data.unityweb', brotliCompressSync(text), 'br'],
  ['a.wasm.br', brotliCompressSync(text), 'br'],
  ['a.wasm.br', brotliCompressSync(Buffer.alloc(4_000_000)), 'br'],
  ['a.wasm.br', brotliCompressSync(text).subarray(0, 60), 'br'],
  ['a.wasm.br', text, undefined],
  ['a.data.unityweb', Buffer.from('UnityWebData1.0\0'), undefined],
  ['a.bin', brotliCompressSync(text), undefined],
  ['notes.br', brotliCompressSync(text), undefined],
  ['example.com.br', text, undefined],
  ['a.js.gz', text, undefined],
  ['a.js.gz', Buffer.alloc(0), undefined],
  ['a.js.br', Buffer.alloc(0), undefined],
])('%s is read by its bytes', (path, bytes, coding) => {
  expect(storedCodings()(path, bytes.subarray(0, 8192))).toBe(coding);
});

test('of many files named as brotli only the first twenty are decoded', () => {
  const codingOf = storedCodings();
  const found = Array.from({ length: 22 }, (_, at) => codingOf(`${at}.js.br`, text));
  expect(found).toEqual([...Array<undefined>(20), 'br', 'br']);
  expect(codingOf('a.js.br', Buffer.alloc(0))).toBeUndefined();
  expect(codingOf('example.com.br', text)).toBeUndefined();
});

test.each([
  ['a.js.gz', 'text/javascript; charset=utf-8'],
  ['Build/a.framework.js.br', 'text/javascript; charset=utf-8'],
  ['Build/a.wasm.unityweb', 'application/wasm'],
  ['Build/a.data.gz', 'application/octet-stream'],
  ['a.symbols.json.gz', 'application/json; charset=utf-8'],
  ['a.asm.memory.unityweb', 'application/octet-stream'],
  ['a.svgz', 'image/svg+xml; charset=utf-8'],
  ['a.tar.gz', undefined],
  ['a.csv.gz', undefined],
  ['a.gz', undefined],
  ['a.js', undefined],
])('%s contains %s', (path, type) => {
  expect(innerType(path)).toBe(type);
});
