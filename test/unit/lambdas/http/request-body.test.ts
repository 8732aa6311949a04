import { expect, jest, test } from '@jest/globals';
import { readJson } from '../../../../lambdas/http/request-body.ts';

const read = (text: string, type = 'application/json') => readJson(Buffer.from(text), type);

test.each(['{}', '{"a":1}', ' {"a":{"a":1},"b":[{"a":1},{"a":2}]} ', '{"a":"\\"b\\":"}'])(
  'reads %s',
  (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  },
);

test.each([
  ['', 'application/json'],
  ['{', 'application/json'],
  ['[]', 'application/json'],
  ['1', 'application/json'],
  ['null', 'application/json'],
  ['{"a":1,"a":2}', 'application/json'],
  ['{"a":1,"\\u0061":2}', 'application/json'],
  ['{"x":{"a":1,"a":2}}', 'application/json'],
  ['[{"a":1,"a":2}]', 'application/json'],
  ['{}', 'text/plain'],
  ['{}', 'application/jsonp'],
])('refuses %.30s as %s', (text, type) => {
  expect(() => read(text, type)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
});

test('refuses more than 256 KiB, or more than the operation’s limit', () => {
  const text = Buffer.from(JSON.stringify({ a: 'x'.repeat(256 * 1024) }));
  const refusal = expect.objectContaining({ code: 'INVALID_REQUEST' });
  const type = 'application/json';
  expect(() => readJson(text, type)).toThrow(refusal);
  expect(() => readJson(text, type, { maxJsonBytes: text.length - 1 })).toThrow(refusal);
  expect(readJson(text, type, { maxJsonBytes: text.length })).toHaveProperty('a');
});

test('accepts a charset parameter', () => {
  expect(read('{}', 'application/json; charset=utf-8')).toEqual({});
});

test.each(['{"a":"\\ud800"}', '{"a":["x\\udfff"]}', '{"\\ud800":1}'])(
  'refuses half a surrogate pair in %s, which no store takes',
  (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  },
);

test('accepts complete surrogate pairs', () => {
  expect(read('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '😀' });
});

test('refuses a body of more values than any operation takes, before it is parsed', () => {
  const files = Array.from({ length: 100_000 }, () => ({}));
  const body = Buffer.from(JSON.stringify({ files }));
  const parse = jest.spyOn(JSON, 'parse');
  expect(() => readJson(body, 'application/json', { maxJsonBytes: 3_000_000 })).toThrow(
    'more than 60000 values',
  );
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});
