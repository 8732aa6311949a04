import { expect, test } from '@jest/globals';
import { liveSecret, type SecretValues } from '../../../../core/secrets/live-secret.ts';

function aSecret() {
  let nowMs = 0;
  let values: SecretValues = { current: 'one' };
  let isDown = false;
  const counts = { reads: 0, failures: 0 };
  const secret = liveSecret({
    async read() {
      counts.reads += 1;
      if (isDown) throw new Error('no answer');
      return values;
    },
    nowMs: () => nowMs,
    onFailure: () => {
      counts.failures += 1;
    },
  });
  return {
    secret,
    counts,
    become: (next: SecretValues) => {
      values = next;
    },
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    down: (is: boolean) => {
      isDown = is;
    },
  };
}

test('a secret is read once by many requests at once, and not again for four minutes', async () => {
  const { secret, counts, pass } = aSecret();
  expect(() => secret.current).toThrow('before it was read');
  await Promise.all([secret.fresh(), secret.fresh(), secret.fresh()]);
  pass(239);
  await secret.fresh();
  expect([counts.reads, secret.current, secret.accepted]).toEqual([1, 'one', ['one']]);
});

test('no value is older than five minutes', async () => {
  const { secret, become, pass } = aSecret();
  await secret.fresh();
  become({ current: 'two', previous: 'one', next: 'two' });
  pass(300);
  await secret.fresh();
  expect([secret.current, secret.accepted]).toEqual(['two', ['two', 'one']]);
});

test('from four minutes on it is read again while requests go on', async () => {
  const { secret, become, pass, counts } = aSecret();
  await secret.fresh();
  become({ current: 'two' });
  pass(240);
  await Promise.all([secret.fresh(), secret.fresh()]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([secret.current, counts.reads]).toEqual(['two', 2]);
});

test('an outage of the store ends no request that has values, and is tried again after 30 seconds', async () => {
  const { secret, pass, down, counts } = aSecret();
  await secret.fresh();
  down(true);
  pass(3600);
  await secret.fresh();
  pass(29);
  await secret.fresh();
  expect([secret.current, counts]).toEqual(['one', { reads: 2, failures: 1 }]);
  pass(1);
  await secret.fresh();
  expect(counts.reads).toBe(3);
});

test('without any value a request fails, and the next one tries again', async () => {
  const { secret, down } = aSecret();
  down(true);
  await expect(secret.fresh()).rejects.toThrow('no answer');
  down(false);
  await secret.fresh();
  expect(secret.current).toBe('one');
});
