import { expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../contract/plans.ts';
import { countPublication } from '../../../../core/limits/count-publication.ts';
import { memoryCounters } from '../../../fixtures/memory-counters.ts';
import { aCaller } from '../../../fixtures/projects/a-project.ts';

const now = new Date('2026-03-01T12:00:00Z');

/** How many of so many uploads at once are counted for an account of the free plan: 60 requests a minute. */
function anAccount() {
  const deps = { counters: memoryCounters(), plans: defaultPlans, now: () => now };
  const caller = { ...aCaller(), account: { ...aCaller().account, tier: 'free' as const } };
  return async (count: number, sender: { linkHash?: string; linkUploads?: number } = {}) => {
    const tries = Array.from({ length: count }, (_, one) =>
      countPublication(deps, { ...caller, ...sender, address: `192.0.${one % 100}.1` }),
    );
    const settled = await Promise.allSettled(tries);
    return settled.filter(({ status }) => status === 'fulfilled').length;
  };
}

test('an account publishes ten times as often in an hour as it may call in a minute', async () => {
  const publish = anAccount();
  expect([await publish(700), await publish(1)]).toEqual([600, 0]);
});

test('a link takes a sixth of what all links together may, a file request two thirds, none of the account', async () => {
  const publish = anAccount();
  expect(await publish(200, { linkHash: 'a' })).toBe(30);
  expect(await publish(200, { linkHash: 'b', linkUploads: 9 })).toBe(120);
  expect(await publish(200, { linkHash: 'c' })).toBe(30);
  expect(await publish(1, { linkHash: 'd' })).toBe(0);
  expect(await publish(700)).toBe(600);
});

test('one network takes a half of what all senders of a file request may, and uses up nobody’s', async () => {
  const deps = { counters: memoryCounters(), plans: defaultPlans, now: () => now };
  const request = { ...aCaller(), linkHash: 'a', linkUploads: 500 };
  const send = (address: string) => countPublication(deps, { ...request, address });
  for (let one = 0; one < 150; one += 1) await send('192.0.2.1');
  for (let one = 0; one < 900; one += 1) {
    await send(`192.0.2.${one % 200}`).catch(() => undefined);
  }
  await expect(send('192.0.2.1')).rejects.toThrow('too many uploads by links from one IP address');
  await expect(send('198.51.100.1')).resolves.toBeUndefined();
});
