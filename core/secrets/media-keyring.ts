import * as z from 'zod/mini';
import { trustedGenerations } from '../../contract/environment.ts';
import { plusSeconds } from '../instants.ts';

/** The keys that sign media links, as stored in their secret. */
export const MediaKeyring = z.object({
  /** The generation whose key signs. */
  generation: z.int().check(z.positive()),
  /** The generation whose key signed before the last change: a failed deployment rolls back to it. */
  previousGeneration: z.int().check(z.positive()),
  movedAt: z.iso.datetime(),
  /** Private keys (PEM) by generation. */
  privateKeys: z.record(z.string(), z.string()),
});
export type MediaKeyring = z.infer<typeof MediaKeyring>;

/** The change that a deployment requests. */
export interface GenerationChange {
  generation: number;
  /** A new stack can start at any generation: its edge trusts no key yet. */
  isNewStack: boolean;
  /** How long a new key group may take to reach all edge locations. */
  propagationSeconds: number;
}

export interface GenerationChangeDeps {
  newPrivateKey(): string;
  now: Date;
}

/** A change of generation that would break links. The message is for the operator. */
export class GenerationChangeError extends Error {
  override name = 'KeyringMoveError';
}

/** CloudFront cannot change public keys, so a rollback needs the keys from before. */
const keptDistance = 2;

/**
 * The keyring after a deployment. Safe to repeat: the same generation again changes nothing.
 *
 * Only a change by one step is safe: the next key is already trusted, and the previous key stays
 * trusted. A change must wait until every edge location knows the keys of the change before.
 * @throws GenerationChangeError
 */
export function changeGeneration(
  keyring: MediaKeyring | undefined,
  move: GenerationChange,
  deps: GenerationChangeDeps,
): MediaKeyring {
  const { generation } = move;
  if (keyring !== undefined && !move.isNewStack) requireSafeChange(keyring, move, deps.now);
  const isMoved = keyring?.generation !== generation;
  const kept = Object.entries(keyring?.privateKeys ?? {}).filter(
    ([name]) => Math.abs(Number(name) - generation) <= keptDistance,
  );
  const privateKeys = Object.fromEntries(kept);
  for (const trusted of trustedGenerations(generation)) {
    privateKeys[trusted] ??= deps.newPrivateKey();
  }
  if (keyring !== undefined && !isMoved) return { ...keyring, privateKeys };
  const previousGeneration = keyring?.generation ?? generation;
  return { generation, previousGeneration, movedAt: deps.now.toISOString(), privateKeys };
}

function requireSafeChange(keyring: MediaKeyring, move: GenerationChange, now: Date): void {
  const { generation: current, previousGeneration, movedAt } = keyring;
  const { generation: target } = move;
  if (target === current) return;
  if (Math.abs(target - current) > 1) {
    throw new GenerationChangeError(
      `mediaKeyGeneration is ${current} now and changes by one in each deployment. Set it to ${current} or ${current + 1}, not ${target}.`,
    );
  }
  const readyAt = plusSeconds(new Date(movedAt), move.propagationSeconds);
  // The keys of the previous generation were trusted before and after the last change.
  if (target === previousGeneration || now >= readyAt) return;
  throw new GenerationChangeError(
    `Some edge locations of CloudFront may not know the next media key yet. Deploy with mediaKeyGeneration ${target} after ${readyAt.toISOString()}.`,
  );
}
