import { describe, expect, test } from '@jest/globals';
import { type Answer, file, isLocal, publish, somebody } from '../../fixtures/clouds/client.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';

const statuses = (answers: Answer[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

// One address is one person; a deployed stage sees only one of them, and an hour is long.
(isLocal ? describe : describe.skip)('temporary uploads from one IP address', () => {
  test('valid uploads among invalid ones succeed, up to three', async () => {
    const from = somebody();
    const answers = await times(12, (index) =>
      publish([file(index % 3 === 0 ? 'a.txt' : 'a.zip')], from),
    );
    expect(statuses(answers)).toEqual({ 200: 3, 400: 8, 429: 1 });
  });

  test('tries are limited to thirty a minute, with any content', async () => {
    const from = somebody();
    const minute = () => Math.floor(Date.now() / 60_000);
    const begun = minute();
    const first = await times(30, () => publish([file('a.zip')], from));
    const more = await times(10, () => publish([file('a.zip')], from));
    const limited = [...first, ...more].filter(({ status }) => status === 429);
    // The minute may turn between the two: never fewer than ten refused unless it did.
    expect(limited.length).toBeLessThanOrEqual(10);
    if (minute() === begun) expect(limited.length).toBe(10);
    for (const answer of limited) expectRefusal(answer, 429, 'RATE_LIMITED');
  });

  test('another address has its own limit', async () => {
    const from = somebody();
    await times(4, () => publish([file('a.txt')], from));
    expect((await publish([file('a.txt')])).status).toBe(200);
  });
});
