import * as z from 'zod';
import { trustedGenerations } from '../../contract/media-key-generations.ts';
import { plusSeconds } from '../instants.ts';

/** The keys that sign media links, as their secret holds them. */
export const MediaKeyring = z.object({
  /** The one that signs. */
  generation: z.int().positive(),
  /** The one that signed before the last move: a deployment that fails goes back to it at once. */
  previousGeneration: z.int().positive(),
  movedAt: z.iso.datetime(),
  /** Private keys (PEM) by generation. */
  privateKeys: z.record(z.string(), z.string()),
});
export type MediaKeyring = z.infer<typeof MediaKeyring>;

/** What a deployment asks for. */
export interface KeyringMove {
  generation: number;
  /** For a new stack, whose edge trusts no key yet: it may start at any generation. */
  isNewStack: boolean;
  /** How long an edge may take to learn a new key group. */
  propagationSeconds: number;
}

export interface MoveDeps {
  newPrivateKey(): string;
  now: Date;
}

/** A change of generation that would break links; its message tells the operator what to do. */
export class KeyringMoveError extends Error {
  override name = 'KeyringMoveError';
}

/** Public keys cannot be changed in CloudFront: a rollback has to find the keys that it had. */
const keptDistance = 2;

/**
 * The keyring after a deployment. Safe to repeat: the same generation again changes nothing.
 *
 * A move by one step is the only safe one: the key that signs next is trusted already, and the one
 * that signed stays trusted. It waits until every edge knows the keys of the move before.
 * @throws KeyringMoveError
 */
export function moveKeyring(
  keyring: MediaKeyring | undefined,
  move: KeyringMove,
  deps: MoveDeps,
): MediaKeyring {
  const { generation } = move;
  if (keyring !== undefined && !move.isNewStack) refuseUnsafe(keyring, move, deps.now);
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

function refuseUnsafe(keyring: MediaKeyring, move: KeyringMove, now: Date): void {
  const { generation: current, previousGeneration, movedAt } = keyring;
  const { generation: wanted } = move;
  if (wanted === current) return;
  if (Math.abs(wanted - current) > 1) {
    throw new KeyringMoveError(
      `mediaKeyGeneration is ${current} now and changes by one in each deployment. Set it to ${current} or ${current + 1}, not ${wanted}.`,
    );
  }
  const readyAt = plusSeconds(new Date(movedAt), move.propagationSeconds);
  // The keys of the generation that signed before the last move were trusted before and after it.
  if (wanted === previousGeneration || now >= readyAt) return;
  throw new KeyringMoveError(
    `Some edges of CloudFront may not know the next media key yet. Deploy with mediaKeyGeneration ${wanted} after ${readyAt.toISOString()}.`,
  );
}
