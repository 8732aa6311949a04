import { expect, test } from '@jest/globals';
import { cachedSecret, type SecretValues } from '../../../../core/secrets/cached-secret.ts';

function aSecret() {
  let nowMs = 0;
  let values: SecretValues = { current: 'one' };
  let isDown = false;
  const counts = { reads: 0, failures: 0 };
  const secret = cachedSecret({
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

test('a secret is read once for many concurrent requests, and not again for four minutes', async () => {
  const { secret, counts, pass } = aSecret();
  expect(() => secret.current).toThrow('before it was read');
  await Promise.all([secret.refresh(), secret.refresh(), secret.refresh()]);
  pass(239);
  await secret.refresh();
  expect([counts.reads, secret.current, secret.accepted]).toEqual([1, 'one', ['one']]);
});

test('an hour of requests reads it fifteen times (docs/cost.md)', async () => {
  const { secret, counts, pass } = aSecret();
  for (let second = 0; second < 3600; second += 1) {
    await secret.refresh();
    await Promise.resolve();
    pass(1);
  }
  expect(counts.reads).toBe(15);
});

test('no value is older than five minutes', async () => {
  const { secret, become, pass } = aSecret();
  await secret.refresh();
  become({ current: 'two', previous: 'one', next: 'two' });
  pass(300);
  await secret.refresh();
  expect([secret.current, secret.accepted]).toEqual(['two', ['two', 'one']]);
});

test('after four minutes it is read again while requests continue', async () => {
  const { secret, become, pass, counts } = aSecret();
  await secret.refresh();
  become({ current: 'two' });
  pass(240);
  await Promise.all([secret.refresh(), secret.refresh()]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([secret.current, counts.reads]).toEqual(['two', 2]);
});

test('an outage of the store fails no request that has values; the read is retried after 30 seconds', async () => {
  const { secret, pass, down, counts } = aSecret();
  await secret.refresh();
  down(true);
  pass(3600);
  await secret.refresh();
  pass(29);
  await secret.refresh();
  expect([secret.current, counts]).toEqual(['one', { reads: 2, failures: 1 }]);
  pass(1);
  await secret.refresh();
  expect(counts.reads).toBe(3);
});

test('without any value a request fails, and the next one tries again', async () => {
  const { secret, down } = aSecret();
  down(true);
  await expect(secret.refresh()).rejects.toThrow('no answer');
  down(false);
  await secret.refresh();
  expect(secret.current).toBe('one');
});
