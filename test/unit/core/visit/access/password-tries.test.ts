import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { epochSeconds } from '../../../../../core/instants.ts';
import {
  accessToken,
  earlierVisit,
  cookieSecondsFor,
} from '../../../../../core/visit/access/access-token.ts';
import {
  type PasswordTryOutcome,
  releasePasswordTry,
  reservePasswordTry,
} from '../../../../../core/visit/access/password-tries.ts';
import { aSite, now as start } from '../../../../fixtures/visits/a-site.ts';
import { memoryBudgets, type Turn } from '../../../../fixtures/visits/memory-tries.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { proofSize } from '../../../../fixtures/proof-size.ts';

const accessSecret = fixedSecret('a secret of a test');
const { projectId } = aSite();
const dayMs = 86_400_000;
const stamps = ['stamp-0', 'stamp-1', 'stamp-2'];

/** One project whose password changes, with everybody who tries it. */
class Door {
  at = start.getTime();
  password = 0;
  /** Wrong guesses that were compared, with the budgets that they hold. */
  readonly wrong: { at: number; keys: string[] }[] = [];
  readonly #budgets;
  readonly #turn: Turn;

  constructor(turn: Turn = async () => undefined) {
    this.#turn = turn;
    this.#budgets = memoryBudgets(turn);
  }

  get site() {
    return { projectId, passwordStamp: stamps[this.password] ?? 'stamp-x' };
  }

  async attempt(
    isRight: boolean,
    { address = '203.0.113.1', access = '-' } = {},
  ): Promise<PasswordTryOutcome> {
    const { site } = this;
    const deps = {
      budgets: this.#budgets,
      accessSecret,
      now: () => new Date(this.at),
      pause: this.#turn,
    };
    const outcome = await reservePasswordTry(deps, { site, address, access });
    if (outcome.kind === 'refused') return outcome;
    await this.#turn();
    if (isRight) await releasePasswordTry(deps, outcome.reservations);
    else this.wrong.push({ at: this.at, keys: outcome.reservations.map(({ key }) => key) });
    return outcome;
  }

  /** The most wrong guesses that any window had of those that hold such a budget. */
  most(budget: string, windowMs = dayMs): number {
    const times = this.wrong
      .filter(({ keys }) => keys.some((key) => key.startsWith(budget)))
      .map(({ at }) => at);
    return Math.max(
      0,
      ...times.map((end) => times.filter((at) => at <= end && at > end - windowMs).length),
    );
  }
}

/** The cookie of somebody who entered a password so many seconds ago. */
function cookieOf(stamp: number, secondsAgo = 31 * 86_400): string {
  const expires = epochSeconds(start) - secondsAgo + 30 * 86_400;
  const access = { projectId, role: 'guest', stamp: stamps[stamp] ?? '', expires } as const;
  return accessToken(accessSecret, access);
}

const v4 = (number: number) => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
const v6 = (number: number) => `2001:db8:${(number % 3).toString(16)}:${number.toString(16)}::1`;

describe('visitor passwords guessed from many addresses', () => {
  test('strangers have fifty wrong tries in any 24 hours, from all addresses', async () => {
    const door = new Door();
    for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
      door.at = start.getTime() + minute * 60_000;
      for (let index = 0; index < 3; index += 1) {
        await door.attempt(false, { address: v4(minute * 3 + index) });
      }
    }
    expect(door.most('unlock-strangers')).toBeLessThanOrEqual(50);
    // A new visitor finds room all the same, within an hour.
    expect(door.wrong.length).toBeGreaterThan(3 * 40);
  });

  test('the tries of other strangers delay nobody for longer than an hour', async () => {
    const door = new Door();
    for (let minute = 0; minute < 2 * 24 * 60; minute += 1) {
      door.at = start.getTime() + minute * 60_000;
      const outcome = await door.attempt(false, { address: v4(minute) });
      if (outcome.kind === 'reserved') continue;
      expect(outcome.by).toBe('project');
      expect(outcome.freeAt.getTime() - door.at).toBeLessThanOrEqual(3_600_000);
    }
  });

  test('correct passwords do not use up tries, for any number of strangers', async () => {
    const door = new Door();
    for (let visitor = 0; visitor < 500; visitor += 1) {
      const address = visitor % 2 === 0 ? '203.0.113.1' : v6(visitor);
      expect((await door.attempt(true, { address })).kind).toBe('reserved');
    }
  });

  test('concurrent correct passwords from one IP address are all compared', async () => {
    const door = new Door(() => new Promise((resolve) => setImmediate(resolve)));
    const visitors = Array.from({ length: 30 }, () => door.attempt(true));
    const kinds = (await Promise.all(visitors)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== 'reserved')).toEqual([]);
  });

  test('an address has five tries a minute, and a /48 twenty a day', async () => {
    const door = new Door();
    for (let count = 0; count < 5; count += 1) await door.attempt(false);
    expect(await door.attempt(false)).toMatchObject({ kind: 'refused', by: 'visitor' });
    const other = new Door();
    for (let hour = 0; hour < 23; hour += 1) {
      for (let count = 0; count < 4; count += 1) {
        await other.attempt(false, { address: `2001:db8:7:${hour * 4 + count}::1` });
      }
      other.at += 3_600_000;
    }
    expect(other.most('unlock-network')).toBe(20);
  });

  test('strangers cannot lock out a visitor with an earlier visit', async () => {
    const door = new Door();
    for (let index = 0; index < 200; index += 1) await door.attempt(false, { address: v4(index) });
    expect(await door.attempt(true, { address: v4(999) })).toMatchObject({ by: 'project' });
    // An ended cookie of the present password, and one of a password before it.
    expect((await door.attempt(true, { access: cookieOf(0) })).kind).toBe('reserved');
    door.password = 1;
    expect((await door.attempt(true, { access: cookieOf(0, 60) })).kind).toBe('reserved');
  });

  test('a cookie of theirs gives ten wrong tries a day, and all of older passwords fifty', async () => {
    const door = new Door();
    door.password = 1;
    for (let minute = 0; minute < 24 * 60; minute += 10) {
      door.at = start.getTime() + minute * 60_000;
      await door.attempt(false, { address: v4(minute), access: cookieOf(1) });
      for (let cookie = 0; cookie < 30; cookie += 1) {
        const address = v4(10_000 + minute * 30 + cookie);
        await door.attempt(false, { address, access: cookieOf(0, 60 + cookie) });
      }
    }
    expect(door.most('unlock-cookie')).toBeLessThanOrEqual(60);
    expect(door.most('unlock-former')).toBeLessThanOrEqual(50);
    expect(door.most('unlock-strangers')).toBeLessThanOrEqual(50);
    expect(door.wrong.length).toBeLessThanOrEqual(110);
  });

  test.each<[string, string]>([
    ['none', '-'],
    [
      'of another secret',
      accessToken(fixedSecret('another'), { projectId, role: 'guest', stamp: 's', expires: 1e9 }),
    ],
    [
      'an owner’s',
      accessToken(accessSecret, { projectId, role: 'owner', stamp: '-', expires: 2e9 }),
    ],
    ['forgotten by now', cookieOf(0, cookieSecondsFor(0) + 30 * 86_400)],
  ])('a cookie that proves no earlier visit: %s', (_, cookie) => {
    const site = { projectId, passwordStamp: 'stamp-0' };
    expect(earlierVisit(accessSecret, cookie, site, start)).toBeUndefined();
  });
});

const step = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('stranger'),
      who: fc.nat(400),
      isRight: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('known'), who: fc.nat(8), isRight: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('password'), who: fc.nat(2), isRight: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('clock'), who: fc.nat(7200), isRight: fc.boolean() }),
  },
);

test('sequences of strangers, known visitors, new passwords and time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 250 }), async (steps) => {
      const door = new Door();
      for (const { kind, who, isRight } of steps) {
        const address = who % 2 === 0 ? v4(who) : v6(who);
        if (kind === 'clock') door.at += who * 1000;
        if (kind === 'password') door.password = who;
        if (kind === 'stranger') await door.attempt(isRight, { address });
        if (kind !== 'known') continue;
        const access = cookieOf(who % 3, 60 + who);
        const outcome = await door.attempt(isRight, { address, access });
        const ownWrong = door.wrong.filter(({ keys }) => keys[0]?.startsWith('unlock-cookie'));
        // Fewer wrong tries than any cookie may have: nothing that strangers did can refuse it.
        if (ownWrong.length < 5) expect(outcome.kind).toBe('reserved');
      }
      expect(door.most('unlock-strangers')).toBeLessThanOrEqual(50);
      expect(door.most('unlock-former')).toBeLessThanOrEqual(50);
      const callers = new Set(door.wrong.flatMap(({ keys }) => keys).filter(isCaller));
      for (const key of callers) expect(door.most(key, 60_000)).toBeLessThanOrEqual(5);
      const networks = new Set(door.wrong.flatMap(({ keys }) => keys).filter(isNetwork));
      for (const key of networks) expect(door.most(key)).toBeLessThanOrEqual(20);
    }),
    { numRuns: proofSize({ short: 30, whole: 150 }) },
  );
});

const isCaller = (key: string) => key.startsWith('unlock-caller');
const isNetwork = (key: string) => key.startsWith('unlock-network');

test('interleavings: of many concurrent tries no more are compared than there are places', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.boolean(), { minLength: 20, maxLength: 50 }),
      async (scheduler, rights) => {
        const door = new Door(() => scheduler.schedule(Promise.resolve()));
        const tries = rights.map((isRight, who) => door.attempt(isRight, { address: v4(who) }));
        await scheduler.waitFor(Promise.all(tries));
        expect(door.wrong.length).toBeLessThanOrEqual(21);
        const isFull = rights.filter((isRight) => !isRight).length >= 21;
        expect(door.wrong.length > 0 || !isFull).toBe(true);
      },
    ),
    { numRuns: 15 },
  );
});
