import { expect, test } from '@jest/globals';
import { AccountId } from '../../../../contract/fields.ts';
import { countAnswer } from '../../../../core/limits/answered-bytes.ts';
import { aCaller } from '../../../fixtures/projects/a-project.ts';

const gibibyte = 1024 ** 3;
const now = () => new Date('2026-03-01T23:59:30.000Z');

function world() {
  const counted = new Map<string, number>();
  const counters = {
    async count(key: string, windowSeconds: number, _: Date, events = 1) {
      expect(windowSeconds).toBe(86_400);
      const all = (counted.get(key) ?? 0) + events;
      counted.set(key, all);
      return all;
    },
  };
  return { counted, deps: { counters, now } };
}

test('large answers to an account have four gigabytes in a day', async () => {
  const { deps } = world();
  const caller = aCaller();
  for (let count = 0; count < 4; count += 1) await countAnswer(deps, caller, gibibyte);
  await expect(countAnswer(deps, caller, 65_537)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    fields: { retryAfterSeconds: 30, nextStep: expect.stringContaining('00:00 UTC') },
  });
  await countAnswer(deps, caller, 65_536);
  const other = aCaller({
    id: AccountId.parse('5f1d7a52-3f1b-4a52-8a44-0d6f6f1f7c55'),
    email: 'other@example.org',
  });
  await countAnswer(deps, other, gibibyte);
});

test('small answers, and those to nobody, count nothing', async () => {
  const { deps, counted } = world();
  await countAnswer(deps, aCaller(), 65_536);
  await countAnswer(deps, { account: undefined }, gibibyte);
  expect(counted.size).toBe(0);
});
