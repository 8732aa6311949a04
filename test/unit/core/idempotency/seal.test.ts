import { expect, test } from '@jest/globals';
import { seal, sealKeys, unseal } from '../../../../core/idempotency/seal.ts';

const keys = (more = {}, secret = 'the-service') =>
  sealKeys(secret, { scope: 'account-1', key: 'k', ...more });
const answer = { status: 201, headers: { 'content-type': 'text/plain' }, body: 'é'.repeat(999) };

test('what was sealed comes back, and twice the same looks different', () => {
  const [one, two] = [seal(keys(), answer), seal(keys(), answer)];
  expect(unseal(keys(), one)).toEqual(answer);
  expect(one.equals(two)).toBe(false);
});

test.each([
  ['another key', keys({ key: 'l' })],
  ['another caller', keys({ scope: 'account-2' })],
  ['another secret', keys({}, 'another-service')],
  ['the row of another', { ...keys(), row: keys({ key: 'l' }).row }],
])('%s does not open it', (_, others) => {
  expect(() => unseal(others, seal(keys(), answer))).toThrow();
});

test('a changed bit does not open', () => {
  for (const at of [0, 12, 40, -1]) {
    const sealed = seal(keys(), answer);
    const index = at < 0 ? sealed.length + at : at;
    sealed[index] = (sealed[index] ?? 0) ^ 1;
    expect(() => unseal(keys(), sealed)).toThrow();
  }
});

test('parts do not run into each other', () => {
  expect(keys({ scope: 'a', key: 'bc' }).row).not.toBe(keys({ scope: 'ab', key: 'c' }).row);
});
