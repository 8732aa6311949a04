import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cachedSecret, maxAgeSeconds } from '../../../../core/secrets/cached-secret.ts';
import { isSignedWith, type RotatingSecret } from '../../../../core/secrets/rotating-secret.ts';
import {
  type HeaderSender,
  type RotationStep,
  rotateSecret,
  type SecretStore,
} from '../../../../core/secrets/rotate-secret.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';

const startMs = Date.parse('2026-11-21T09:00:00.000Z');

/** Secrets Manager's labels in memory, with a clock that the test moves. */
function aStore() {
  let nowMs = startMs;
  let made = 0;
  const value = (name: string) => ({ id: name, value: name, createdAt: new Date(nowMs) });
  const labels = { current: value('first'), previous: value('none'), next: value('first') };
  const store: SecretStore = {
    labels: async () => ({ current: labels.current, next: labels.next }),
    async prepare(text) {
      labels.next = value(text);
    },
    async promote({ from, to }) {
      if (labels.current.id !== from || labels.next.id !== to) throw new Error('lost');
      labels.previous = labels.current;
      labels.current = labels.next;
    },
  };
  const now = () => new Date(nowMs);
  return {
    store,
    labels,
    now,
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    rotate: (sender?: HeaderSender) =>
      rotateSecret({ store, sender, newValue: () => `value-${(made += 1)}`, now }),
    /** A function with a memory of its own. */
    aFunction: () =>
      cachedSecret({
        read: async () => ({
          current: labels.current.value,
          previous: labels.previous.value,
          next: labels.next.value,
        }),
        nowMs: () => nowMs,
        onFailure: () => undefined,
      }),
  };
}

/** Refused five minutes after its value ended, and accepted as long as it has not. */
function expectAsDue(
  world: ReturnType<typeof aStore>,
  fn: RotatingSecret,
  { signature, value }: { signature: string; value: string },
  ended: readonly { value: string; atMs: number }[],
): void {
  const end = ended.find((gone) => gone.value === value);
  const isAccepted = isSignedWith(fn, signature, sign);
  if (end === undefined) {
    expect([value, isAccepted]).toEqual([value, true]);
    return;
  }
  const goneSeconds = (world.now().getTime() - end.atMs) / 1000;
  if (goneSeconds >= maxAgeSeconds) expect([value, isAccepted]).toEqual([value, false]);
}

const sign = (value: string) => createHmac('sha256', value).update('text').digest('base64url');

describe('a rotation', () => {
  test('takes two runs, ten minutes apart, and ends only the value before the current one', async () => {
    const { rotate, pass, labels } = aStore();
    expect(await rotate()).toMatchObject({ kind: 'prepared' });
    expect(labels).toMatchObject({ current: { value: 'first' }, next: { value: 'value-1' } });
    pass(599);
    expect(await rotate()).toEqual({
      kind: 'too-early',
      readyAt: new Date(startMs + 600_000),
    });
    pass(1);
    expect(await rotate()).toEqual({ kind: 'rotated' });
    expect(labels).toMatchObject({ current: { value: 'value-1' }, previous: { value: 'first' } });
    expect((await rotate()).kind).toBe('prepared');
  });

  test('of two concurrent operators, one promotes', async () => {
    const { rotate, pass } = aStore();
    await rotate();
    pass(600);
    const outcomes = await Promise.allSettled([rotate(), rotate()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  /** What is signed by any function is accepted by all others, until the second rotation after it. */
  test('property: nothing signed is refused before the second rotation, everything is after it', async () => {
    type Action =
      | { kind: 'pass'; seconds: number }
      | { kind: 'sign' | 'check'; by: number }
      | { kind: 'rotate' };
    const action: fc.Arbitrary<Action> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('pass'), seconds: fc.nat(400) }) },
      {
        weight: 6,
        arbitrary: fc.record({ kind: fc.constantFrom('sign', 'check'), by: fc.nat(3) }),
      },
      { weight: 4, arbitrary: fc.constant({ kind: 'rotate' as const }) },
    ) as fc.Arbitrary<Action>;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 80 }), async (actions) => {
        const world = aStore();
        const functions = [0, 1, 2, 3].map(() => world.aFunction());
        const signed: { signature: string; value: string }[] = [];
        let ended: { value: string; atMs: number }[] = [];
        for (const one of actions) {
          if (one.kind === 'pass') world.pass(one.seconds);
          if (one.kind === 'rotate') {
            const before = world.labels.previous.value;
            const step: RotationStep = await world.rotate();
            const atMs = world.now().getTime();
            if (step.kind === 'rotated') ended = [...ended, { value: before, atMs }];
          }
          if (one.kind !== 'sign' && one.kind !== 'check') continue;
          const fn = functions[one.by];
          if (fn === undefined) throw new Error('no function');
          await fn.refresh();
          if (one.kind === 'sign') {
            signed.push({ signature: sign(fn.current), value: fn.current });
            continue;
          }
          for (const one of signed) expectAsDue(world, fn, one, ended);
        }
      }),
      { numRuns: proofSize({ short: 60, whole: 300 }) },
    );
  });
});

describe('the secret that CloudFront sends', () => {
  function aSender() {
    let sending = 'first';
    let isDeployed = true;
    const sender: HeaderSender = {
      isSending: async (value) => isDeployed && sending === value,
      async send(value) {
        if (sending !== value) isDeployed = false;
        sending = value;
      },
    };
    return {
      sender,
      sending: () => sending,
      deploy: () => {
        isDeployed = true;
      },
    };
  }

  test('is never refused: a value ends only when CloudFront sends a newer one everywhere', async () => {
    const { rotate, pass, labels } = aStore();
    const { sender, sending, deploy } = aSender();
    await rotate(sender);
    pass(600);
    expect((await rotate(sender)).kind).toBe('rotated');
    expect(sending()).toBe('value-1');
    await rotate(sender);
    pass(600);
    expect((await rotate(sender)).kind).toBe('sender-behind');
    expect(labels.previous.value).toBe('first');
    deploy();
    expect((await rotate(sender)).kind).toBe('rotated');
    expect([labels.previous.value, sending()]).toEqual(['value-1', 'value-2']);
  });

  test('recovers if the previous step was interrupted between the secret and CloudFront', async () => {
    const { rotate, pass, labels } = aStore();
    const { sender, sending } = aSender();
    const cutOff: HeaderSender = {
      ...sender,
      send: async (value) => {
        if (value !== 'first') throw new Error('cut off');
      },
    };
    await rotate(cutOff);
    pass(600);
    await expect(rotate(cutOff)).rejects.toThrow('cut off');
    expect([labels.current.value, sending()]).toEqual(['value-1', 'first']);
    expect((await rotate(sender)).kind).toBe('prepared');
    expect(sending()).toBe('value-1');
  });
});
