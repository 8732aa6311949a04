import { beforeAll, describe, expect, test } from '@jest/globals';
import { cookieFrom, unlock } from '../../fixtures/visits/access.ts';
import { anEmail, mailsTo, signIn } from '../../fixtures/accounts/accounts.ts';
import { type Answer, isLocal, somebody } from '../../fixtures/clouds/client.ts';
import { created } from '../../fixtures/projects/projects.ts';
import { patch } from '../../fixtures/projects/versions.ts';

// Many visitors, each from an address of their own, are only to be had here.
const local = isLocal ? describe : describe.skip;

const email = anEmail();
let key = '';
beforeAll(async () => {
  if (isLocal) key = await signIn(email);
});

/** Wrong tries, a few at a time, each from another address. */
async function guesses(url: string, count: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const guess = async () => {
    while (next < count) {
      next += 1;
      answers.push(await unlock(url, `guess ${next}`, { from: somebody() }));
    }
  };
  await Promise.all(Array.from({ length: 12 }, guess));
  return answers;
}

/** The mails to the owner about a page, once there is one. */
async function alertsOf(title: string): Promise<any[]> {
  const end = Date.now() + 20_000;
  for (;;) {
    const mails = await mailsTo(email);
    const alerts = mails.filter(({ subject }) => String(subject).includes(title));
    if (alerts.length > 0 || Date.now() > end) return alerts;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

local('visitor passwords guessed from many addresses', () => {
  const fields = { access: 'password', password: '4711', title: 'Harbour plans' };

  test('strangers share a budget, known visitors are not locked out, and the owner gets a mail', async () => {
    const { projectId, url, warnings } = await created(key, { fields });
    expect(warnings).toEqual([
      { field: 'password', message: expect.stringContaining('fewer than 8 characters') },
    ]);
    const cookie = cookieFrom(await unlock(url, '4711', { from: somebody() }));
    const again = await patch(key, projectId, { access: 'password', password: '0815' });
    expect(again.json.data).toMatchObject({ updated: true, warnings: [{ field: 'password' }] });

    const answers = await guesses(url, 110);
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
    const compared = answers.filter(({ status }) => status === 401).length;
    expect(compared).toBeGreaterThanOrEqual(20);
    expect(compared).toBeLessThanOrEqual(50);

    const newcomer = await unlock(url, '0815', { from: somebody() });
    expect(newcomer.status).toBe(429);
    expect(Number(newcomer.headers['retry-after'])).toBeLessThanOrEqual(3600);
    expect(newcomer.text).toMatch(/you can try again at .* UTC/);
    expect(newcomer.text).toMatch(/Use the same browser as then/);
    expect(newcomer.text).toMatch(/Open as owner/);

    const known = await unlock(url, '0815', { from: somebody(), cookie });
    expect(known.status).toBe(303);

    const alerts = await alertsOf('Harbour plans');
    expect(alerts).toHaveLength(1);
    expect(alerts[0].text).toContain(url);
    expect(alerts[0].text).toContain('More than 100 wrong passwords');
  });
});
