import { expect, test } from '@jest/globals';
import { hashPassword } from '../../../../core/projects/password-hash.ts';
import { entrantOf, passwordStamp } from '../../../../core/visit/access-token.ts';
import type { ServingRecord } from '../../../../core/visit/serving-record.ts';
import { unlockSite } from '../../../../core/visit/unlock-site.ts';
import { aSite, now } from '../../../fixtures/a-site.ts';

const accessSecret = 'a secret of a test';
const hash = await hashPassword('open sesame');
const locked = aSite({ access: 'password', passwordStamp: passwordStamp(hash) });

/** One try, with what was counted and whether the hash was read for it. */
async function attempt(
  password: string,
  options: { site?: ServingRecord | undefined; full?: boolean } = {},
) {
  const { site, full = false } = { site: locked, ...options };
  const counted: string[] = [];
  let reads = 0;
  const outcome = await unlockSite(
    {
      sites: { get: async () => site },
      passwordHashOf: async () => {
        reads += 1;
        return hash;
      },
      counters: {
        take: async (key, rules) => {
          counted.push(key);
          const [rule = { limit: 0, windowSeconds: 0 }] = rules;
          if (!full) return { taken: true, limits: [] };
          return { taken: false, rule, retryAfterSeconds: 7, limits: [] };
        },
      },
      accessSecret,
      now: () => now,
    },
    { address: '2001:db8::1', requestId: 'request' },
    { host: locked.host, password, access: '-' },
  );
  return { outcome, counted, reads };
}

test('the password lets its visitor in, until another one is set', async () => {
  const { outcome } = await attempt('open sesame');
  if (outcome.kind !== 'unlocked') throw new Error(outcome.kind);
  expect(entrantOf(accessSecret, outcome.token, locked, now)).toBe('visitor');
  const changed = { ...locked, passwordStamp: passwordStamp(await hashPassword('open sesame')) };
  expect(entrantOf(accessSecret, outcome.token, changed, now)).toBe('nobody');
});

test.each([['wrong'], [''], ['x'.repeat(256)]])('%s does not', async (password) => {
  expect((await attempt(password)).outcome).toEqual({ kind: 'wrong' });
});

test('tries are counted by visitor and project, before anything is compared', async () => {
  expect((await attempt('wrong')).counted).toEqual([
    `unlock#${locked.projectId}#2001:db8:0:0::/64`,
  ]);
  const { outcome, reads } = await attempt('open sesame', { full: true });
  expect(outcome).toEqual({ kind: 'too-many', retryAfterSeconds: 7 });
  expect(reads).toBe(0);
});

test.each<[string, ServingRecord | undefined, string]>([
  ['a public site needs none', aSite(), 'open'],
  ['no site', undefined, 'refused'],
  ['a private site', { ...locked, access: 'private' }, 'refused'],
  ['an expired site', { ...locked, expiresAt: now.toISOString() }, 'refused'],
  ['an archived site', { ...locked, archivedAt: now.toISOString() }, 'refused'],
  ['a site that was taken down', { ...locked, takenDown: true }, 'refused'],
  ['a site whose password was cleared', { ...locked, passwordStamp: null }, 'refused'],
])('%s: nothing is tried', async (_, site, kind) => {
  const { outcome, counted, reads } = await attempt('open sesame', { site });
  expect({ kind: outcome.kind, counted, reads }).toEqual({ kind, counted: [], reads: 0 });
});
