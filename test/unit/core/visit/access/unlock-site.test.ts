import { describe, expect, test } from '@jest/globals';
import { viewerRoleOf, passwordStampOf } from '../../../../../core/visit/access/access-token.ts';
import type { ServingRecord } from '../../../../../core/visit/serving-record.ts';
import { unlockSite } from '../../../../../core/visit/access/unlock-site.ts';
import { aSite, noLinks, noVisitors, noRoots, now } from '../../../../fixtures/visits/a-site.ts';
import { memoryBudgets, memoryWrongTries } from '../../../../fixtures/visits/memory-tries.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { randomBytes, scryptSync } from 'node:crypto';

const cost = { N: 1024, r: 8, p: 1 };

/**
 * A visitors' password as it is stored, at a thirty-second of the real cost: a stored password names its
 * own cost, and comparing one of the real cost takes a tenth of a second.
 */
export function cheaplyHashed(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, cost);
  const numbers = [cost.N, cost.r, cost.p];
  return ['scrypt', ...numbers, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

const accessSecret = fixedSecret('a secret of a test');
const hash = cheaplyHashed('open sesame');
const locked = aSite({ access: 'password', passwordStamp: passwordStampOf(hash) });

/** A site with everybody who tries to get in. */
function aDoor(site: ServingRecord | null = locked) {
  const counted: string[] = [];
  const failures: unknown[] = [];
  const budgets = memoryBudgets();
  const wrong = memoryWrongTries();
  const door = {
    at: now,
    counted,
    failures,
    reads: 0,
    waits: 0,
    isBroken: false,
    sent: wrong.sent,
    async attempt(password: string, { address = '2001:db8::1', access = '-' } = {}) {
      const deps = {
        ...wrong,
        quietUntil: new Map(),
        roots: noRoots,
        shareLinks: noLinks,
        visitors: noVisitors,
        sites: { get: async () => site ?? undefined },
        passwordHashOf: async () => {
          door.reads += 1;
          return hash;
        },
        budgets: {
          reserve: async (...[key, schedule, at]: Parameters<typeof budgets.reserve>) => {
            counted.push(key);
            return budgets.reserve(key, schedule, at);
          },
          release: async (...[reservation]: Parameters<typeof budgets.release>) => {
            if (door.isBroken) throw new Error('no connection');
            await budgets.release(reservation);
          },
          keep: (reservation: Parameters<typeof budgets.keep>[0]) => budgets.keep(reservation),
        },
        accessSecret,
        onFailure: (item: unknown) => failures.push(item),
        now: () => door.at,
        pause: async () => void (door.waits += 1),
      };
      const caller = { address, requestId: 'request' };
      return unlockSite(deps, caller, { host: locked.host, domainId: null, password, access });
    },
  };
  return door;
}

test('the password gives access until another one is set', async () => {
  const outcome = await aDoor().attempt('open sesame');
  if (outcome.kind !== 'unlocked') throw new Error(outcome.kind);
  expect(viewerRoleOf(accessSecret, outcome.token, locked, now)).toBe('guest');
  const changed = { ...locked, passwordStamp: passwordStampOf(cheaplyHashed('open sesame')) };
  expect(viewerRoleOf(accessSecret, outcome.token, changed, now)).toBe('stranger');
});

test('a wrong one does not', async () => {
  expect(await aDoor().attempt('wrong')).toEqual({ kind: 'wrong' });
});

test.each([[''], ['x'.repeat(256)]])(
  'an impossible password does not use up a try: %j',
  async (password) => {
    const door = aDoor();
    expect(await door.attempt(password)).toEqual({ kind: 'wrong' });
    expect(door).toMatchObject({ counted: [], reads: 0 });
  },
);

describe('tries are counted before anything is compared', () => {
  test('by the visitor’s address, their network and the project', async () => {
    const door = aDoor();
    await door.attempt('wrong');
    const { projectId } = locked;
    expect(door.counted).toEqual([
      `unlock-caller#${projectId}#2001:db8:0:0::/64`,
      `unlock-network#${projectId}#2001:db8:0::/48`,
      `unlock-strangers#${projectId}`,
    ]);
  });

  test('a refused try does not compare the password', async () => {
    const door = aDoor();
    for (let count = 0; count < 5; count += 1) await door.attempt('wrong');
    expect(door.reads).toBe(5);
    expect(await door.attempt('open sesame')).toEqual({
      kind: 'too-many',
      by: 'visitor',
      freeAt: new Date(now.getTime() + 60_000),
      retryAfterSeconds: 60,
    });
    expect(door.reads).toBe(5);
  });

  test('nobody waits for tries that have failed, so that a few requests a second keep no functions waiting', async () => {
    const door = aDoor();
    for (let count = 0; count < 10; count += 1) await door.attempt('wrong');
    for (let count = 0; count < 30; count += 1)
      await door.attempt('wrong', { address: `203.0.113.${count}` });
    expect(door.waits).toBe(0);
  });

  test('a correct one releases its place', async () => {
    const door = aDoor();
    for (let count = 0; count < 12; count += 1) {
      expect((await door.attempt('open sesame')).kind).toBe('unlocked');
    }
  });

  test('and gives access even if that fails', async () => {
    const door = aDoor();
    door.isBroken = true;
    expect((await door.attempt('open sesame')).kind).toBe('unlocked');
    expect(door.failures).toEqual([{ kind: 'password-try', projectId: locked.projectId }]);
  });

  test('the owner gets a mail about more than a hundred, refused ones included', async () => {
    const door = aDoor();
    const wrong = (count: number) => door.attempt('wrong', { address: `10.0.0.${count}` });
    for (let count = 0; count < 100; count += 1) await wrong(count);
    expect(door.sent).toEqual([]);
    for (let count = 100; count < 240; count += 1) await wrong(count);
    const { projectId, ownerId } = locked;
    const at = now.toISOString();
    expect(door.sent).toEqual([{ kind: 'password-alert', projectId, ownerId, since: at, at }]);
  });
});

test.each<[string, ServingRecord | null, string]>([
  ['no site', null, 'refused'],
  ['a public site needs none', aSite(), 'open'],
  ['a private site', { ...locked, access: 'private' }, 'refused'],
  ['an expired site', { ...locked, expiresAt: now.toISOString() }, 'refused'],
  ['an archived site', { ...locked, archivedAt: now.toISOString() }, 'refused'],
  ['a site that was taken down', { ...locked, takenDown: true }, 'refused'],
  ['a site whose password was cleared', { ...locked, passwordStamp: null }, 'refused'],
])('%s: nothing is compared', async (_, site, kind) => {
  const door = aDoor(site);
  const outcome = await door.attempt('open sesame');
  expect({ kind: outcome.kind, counted: door.counted, reads: door.reads }).toEqual({
    kind,
    counted: [],
    reads: 0,
  });
});
