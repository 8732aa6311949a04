import { expect, test } from '@jest/globals';
import { unchangedAnswers } from '../../../../adapters/signed-calls/signed-services.ts';

/** Answers of 20 bytes, and those that were converted. */
function counted(maxBytes?: number) {
  const seen: unknown[] = [];
  const convert = (json: unknown) => {
    seen.push(json);
    return { json };
  };
  const read = unchangedAnswers(convert, maxBytes);
  return { seen, read: (request: string, json: unknown) => read(request, { json, bytes: 20 }) };
}

test('converts the same answer to the same request once', () => {
  const { read, seen } = counted();
  const first = read('a', { Item: { title: { S: 'one' } } });
  expect(read('a', { Item: { title: { S: 'one' } } })).toBe(first);
  expect(seen).toHaveLength(1);
});

test('takes attributes in another order for the same answer', () => {
  const { read } = counted();
  const first = read('a', { Item: { title: { S: 'one' }, tags: { L: [{ N: '1' }] } } });
  expect(read('a', { Item: { tags: { L: [{ N: '1' }] }, title: { S: 'one' } } })).toBe(first);
});

test.each<[string, unknown]>([
  ['another value', { title: { S: 'two' }, tags: { L: [{ N: '1' }] } }],
  ['another type', { title: { N: 'one' }, tags: { L: [{ N: '1' }] } }],
  ['another value deep inside', { title: { S: 'one' }, tags: { L: [{ N: '2' }] } }],
  [
    'one attribute more',
    { title: { S: 'one' }, tags: { L: [{ N: '1' }] }, takenDown: { BOOL: true } },
  ],
  ['one attribute less', { title: { S: 'one' } }],
  ['no item', undefined],
])('converts an answer with %s, and the former one again', (_, other) => {
  const { read, seen } = counted();
  const one = { title: { S: 'one' }, tags: { L: [{ N: '1' }] } };
  for (const json of [one, other, one]) expect(read('a', json)).toEqual({ json });
  expect(seen).toHaveLength(3);
});

test('keeps requests apart', () => {
  const { read } = counted();
  expect(read('a', { title: 'one' })).not.toBe(read('b', { title: 'one' }));
});

test('forgets what was not needed for longest', () => {
  // Two entries: each takes 512 bytes beside its request and its answer.
  const { read, seen } = counted(2 * (512 + 21));
  for (const request of ['a', 'b', 'a', 'c', 'a', 'b']) read(request, request);
  expect(seen).toEqual(['a', 'b', 'c', 'b']);
});

test('keeps nothing of what is not there', () => {
  const seen: unknown[] = [];
  const read = unchangedAnswers((json) => {
    seen.push(json);
    return json === 'none' ? undefined : { json };
  }, 600);
  read('a', { json: 'one', bytes: 20 });
  for (let host = 0; host < 100; host += 1) read(`${host}`, { json: 'none', bytes: 2 });
  read('a', { json: 'one', bytes: 20 });
  expect(seen.filter((json) => json === 'one')).toHaveLength(1);
});

test('keeps no long answers', () => {
  const read = unchangedAnswers((json) => ({ json }));
  const long = { json: 'one', bytes: 17_000 };
  expect(read('a', long)).not.toBe(read('a', long));
});
