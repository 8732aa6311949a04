import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MemorySignIn } from '../../../fixtures/accounts/memory-sign-in.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';

const email = 'owner@example.org';
const owner = '192.0.2.1';
const day = 86_400_000;

/** What a stranger does; `network` is one of a few, so that budgets are met. */
const action = fc.oneof(
  fc.record({
    kind: fc.constant('request' as const),
    network: fc.integer({ min: 0, max: 7 }),
    resend: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('guess' as const),
    network: fc.integer({ min: 0, max: 7 }),
    times: fc.integer({ min: 1, max: 6 }),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** Bursts of actions that run together, and how many seconds lie before each. */
const siege = fc.array(
  fc.record({
    afterSeconds: fc.oneof(
      fc.integer({ min: 0, max: 120 }),
      fc.integer({ min: 300, max: 4000 }),
      fc.constant(86_400),
    ),
    actions: fc.array(action, { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 12 },
);

const addressOf = (network: number) => `198.51.100.${network + 1}`;

function start(signIn: MemorySignIn, one: Action): Promise<unknown>[] {
  const from = addressOf(one.network);
  if (one.kind === 'request') return [signIn.request(from, email, one.resend)];
  return Array.from({ length: one.times }, () =>
    signIn.verify(from, { email, code: signIn.wrongDigits(email) }),
  );
}

async function burst(scheduler: fc.Scheduler, calls: Promise<unknown>[]): Promise<void> {
  const all = Promise.all(calls);
  await scheduler.waitFor(all);
}

function expectWithinBudgets({ wrongAt }: MemorySignIn): void {
  const within = (from: number, days: number) =>
    wrongAt.filter((at) => at >= from && at < from + days * day).length;
  for (const at of wrongAt) {
    expect(within(at, 1)).toBeLessThanOrEqual(25);
    expect(within(at, 30)).toBeLessThanOrEqual(40);
  }
}

test('for all actions of strangers, no guess is compared without a mail, and never more than the budgets', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), siege, async (scheduler, bursts) => {
      const signIn = new MemorySignIn(() => scheduler.schedule(Promise.resolve()));
      for (const { afterSeconds, actions } of bursts) {
        signIn.at += afterSeconds * 1000;
        await burst(
          scheduler,
          actions.flatMap((one) => start(signIn, one)),
        );
        if (signIn.mails.length === 0) expect(signIn.wrongAt).toEqual([]);
        expect(signIn.wrongAt.length).toBeLessThanOrEqual(8 * 5 * signIn.mails.length);
      }
      expectWithinBudgets(signIn);
    }),
    { numRuns: proofSize({ short: 30, whole: 60 }) },
  );
});

test('for all actions of strangers, the reader of the mail can sign in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), siege, async (scheduler, bursts) => {
      const signIn = new MemorySignIn(() => scheduler.schedule(Promise.resolve()));
      for (const { afterSeconds, actions } of bursts) {
        signIn.at += afterSeconds * 1000;
        // The owner asks in the middle of it.
        await burst(scheduler, [
          ...actions.flatMap((one) => start(signIn, one)),
          signIn.request(owner, email),
        ]);
      }
      const { digits = '', longCode = '' } = signIn.inbox(email) ?? {};
      const verify = async (attemptToken?: string) => {
        const call = signIn.verify(owner, { email, code: digits, attemptToken });
        await burst(scheduler, [call]);
        return (await call).code;
      };
      if ((await verify()) !== 'OK') expect(await verify(longCode)).toBe('OK');
    }),
    { numRuns: proofSize({ short: 30, whole: 60 }) },
  );
});

test('the first requester signs in with the six digits, for all later actions of strangers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(action, { minLength: 1, maxLength: 12 }),
      fc.array(action, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 4 }),
      async (scheduler, first, second, typos) => {
        const signIn = new MemorySignIn(() => scheduler.schedule(Promise.resolve()));
        await burst(scheduler, [signIn.request(owner, email)]);
        const { digits = '' } = signIn.inbox(email) ?? {};
        for (const [index, actions] of [first, second].entries()) {
          await burst(scheduler, [
            ...actions.flatMap((one) => start(signIn, one)),
            ...Array.from({ length: index === 0 ? typos : 0 }, () =>
              signIn.verify(owner, { email, code: signIn.wrongDigits(email) }),
            ),
          ]);
          signIn.at += 61_000;
        }
        const call = signIn.verify(owner, { email, code: digits });
        await burst(scheduler, [call]);
        expect((await call).code).toBe('OK');
      },
    ),
    { numRuns: proofSize({ short: 30, whole: 60 }) },
  );
});
