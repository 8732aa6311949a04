import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { trustedGenerations } from '../../../../contract/environment.ts';
import {
  GenerationChangeError,
  type MediaKeyring,
  changeGeneration,
} from '../../../../core/secrets/media-keyring.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';

const propagationSeconds = 900;

/** One state of the deployed stage: what the gate signs with, and which keys the edge is told to trust. */
interface Deployed {
  signing: string;
  trusted: string[];
  generation: number;
}

/** The secret and the stage behind it, as CloudFormation moves both. */
function aStage(first: number) {
  let nowMs = Date.parse('2026-11-21T09:00:00.000Z');
  let made = 0;
  let keyring: MediaKeyring | undefined;
  /** Everything that an edge may still know, or already: the group of each time, with its end. */
  const groups: { trusted: string[]; untilMs: number }[] = [];

  function custom(generation: number, isNewStack = false): Deployed {
    keyring = changeGeneration(
      keyring,
      { generation, isNewStack, propagationSeconds },
      { newPrivateKey: () => `key-${(made += 1)}`, now: new Date(nowMs) },
    );
    const { privateKeys } = keyring;
    const pem = (at: number) => privateKeys[at] ?? 'none';
    return {
      generation,
      signing: pem(generation),
      trusted: trustedGenerations(generation).map(pem),
    };
  }

  let deployed = custom(first, true);
  return {
    get deployed() {
      return deployed;
    },
    get keyring() {
      return keyring;
    },
    pass(seconds: number) {
      nowMs += seconds * 1000;
    },
    /** Deploys; gives the states that stand beside each other meanwhile, or that it was refused. */
    deploy(generation: number, fails: boolean) {
      const before = deployed;
      try {
        const after = custom(generation);
        groups.push({ trusted: before.trusted, untilMs: nowMs + propagationSeconds * 1000 });
        if (fails) {
          groups.push({ trusted: after.trusted, untilMs: nowMs + propagationSeconds * 1000 });
          deployed = custom(before.generation);
        } else deployed = after;
        return { isRefused: false, before, after, deployed };
      } catch (error) {
        if (!(error instanceof GenerationChangeError)) throw error;
        // CloudFormation rolls a refused update back by asking for what was there.
        deployed = custom(before.generation);
        return { isRefused: true, before, after: before, deployed };
      }
    },
    /** The groups that some edge may work with now. */
    edges: () => [
      ...groups.filter(({ untilMs }) => nowMs < untilMs).map(({ trusted }) => trusted),
      deployed.trusted,
    ],
  };
}

const step = fc.record({
  passSeconds: fc.integer({ min: 0, max: 2000 }),
  by: fc.integer({ min: -3, max: 3 }),
  fails: fc.boolean(),
});

describe('the media key', () => {
  test('for all orders of deployments, each edge trusts every key that a gate may sign with', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.array(step, { maxLength: 15 }),
        (first, steps) => {
          const stage = aStage(first);
          for (const { passSeconds, by, fails } of steps) {
            stage.pass(passSeconds);
            const generation = Math.max(1, stage.deployed.generation + by);
            const seen = [...stage.edges()];
            const { before, after, deployed } = stage.deploy(generation, fails);
            for (const trusted of [...seen, ...stage.edges(), after.trusted]) {
              const isTrusted = [before, after].every(({ signing }) => trusted.includes(signing));
              if (!isTrusted) throw new Error(`A link of ${after.generation} is refused.`);
            }
            // A rollback must find the public keys as they are: CloudFront cannot change one.
            if (fails) expect(deployed).toEqual(before);
            const kept = trustedGenerations(after.generation).flatMap((one, at) =>
              trustedGenerations(before.generation).includes(one) ? [[one, at] as const] : [],
            );
            for (const [one, at] of kept) {
              const index = trustedGenerations(before.generation).indexOf(one);
              if (after.trusted[at] !== before.trusted[index])
                throw new Error(`Key ${one} changed.`);
            }
          }
          expect(Object.keys(stage.keyring?.privateKeys ?? {}).length).toBeLessThanOrEqual(5);
        },
      ),
      { numRuns: proofSize({ short: 100, whole: 500 }) },
    );
  });

  test('the second rotation ends the first key, and no later deployment restores it', () => {
    const stage = aStage(1);
    const first = stage.deployed.signing;
    for (const generation of [2, 3, 4, 5]) {
      stage.pass(propagationSeconds);
      expect(stage.deploy(generation, false).isRefused).toBe(false);
      expect(stage.deployed.trusted.includes(first)).toBe(generation === 2);
    }
    expect(JSON.stringify(stage.keyring)).not.toContain(`"${first}"`);
  });

  test('the same deployment again changes nothing', () => {
    const stage = aStage(1);
    stage.pass(propagationSeconds);
    stage.deploy(2, false);
    const { keyring } = stage;
    stage.pass(5);
    stage.deploy(2, false);
    expect(stage.keyring).toEqual(keyring);
  });

  test.each([
    ['two at once', 3, propagationSeconds, 'mediaKeyGeneration is 1 now and changes by one'],
    ['the next one too early', 2, propagationSeconds - 1, 'after 2026-11-21T09:15:00.000Z'],
  ])('refuses %s with the next step', (_, generation, seconds, reason) => {
    const move = { isNewStack: false, propagationSeconds };
    const now = new Date('2026-11-21T09:00:00.000Z');
    const newPrivateKey = () => 'key';
    const keyring = changeGeneration(
      undefined,
      { ...move, generation: 1, isNewStack: true },
      { newPrivateKey, now },
    );
    const later = new Date(now.getTime() + seconds * 1000);
    expect(() =>
      changeGeneration(keyring, { ...move, generation }, { newPrivateKey, now: later }),
    ).toThrow(reason);
  });

  test('a new stack starts at any generation, with the existing keys', () => {
    const deps = { newPrivateKey: () => 'other', now: new Date('2026-11-21T09:00:00.000Z') };
    const { privateKeys } = changeGeneration(
      {
        generation: 4,
        previousGeneration: 3,
        movedAt: '2026-11-21T08:59:00.000Z',
        privateKeys: { 2: 'b', 3: 'c', 4: 'd', 5: 'e' },
      },
      { generation: 1, isNewStack: true, propagationSeconds },
      deps,
    );
    expect(privateKeys).toEqual({ 1: 'other', 2: 'b', 3: 'c' });
  });
});
