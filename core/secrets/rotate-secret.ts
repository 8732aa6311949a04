import { randomBytes } from 'node:crypto';
import { plusSeconds } from '../instants.ts';
import { maxAgeSeconds } from './live-secret.ts';

/** The labels of a secret: its current value, and the one that comes next where it was prepared. */
export interface SecretLabels {
  current: { id: string; value: string };
  next: { id: string; value: string; createdAt: Date } | undefined;
}

/** Where one secret's values are kept. */
export interface SecretStore {
  labels(): Promise<SecretLabels>;
  /** Adds a value that functions accept and do not sign with yet. */
  prepare(value: string): Promise<void>;
  /** Makes the next value the current one, and the current one the previous; fails when somebody else did. */
  promote(labels: { from: string; to: string }): Promise<void>;
}

/** Whoever sends a secret's value in a header and is told it from outside: CloudFront. */
export interface HeaderSender {
  /** Whether every request carries the value by now. */
  isSending(value: string): Promise<boolean>;
  /** Makes it send the value; does nothing where it does. */
  send(value: string): Promise<void>;
}

export interface RotateDeps {
  store: SecretStore;
  /** For the one secret that CloudFront sends. */
  sender?: HeaderSender | undefined;
  newValue(): string;
  now(): Date;
}

/** What one run did, or why it did nothing. */
export type RotationStep =
  | { kind: 'prepared'; readyAt: Date }
  | { kind: 'too-early'; readyAt: Date }
  | { kind: 'sender-behind' }
  | { kind: 'rotated' };

/** 288 bits in letters, digits, `-` and `_`: it may stand in a header. */
export function newSecretValue(): string {
  return randomBytes(36).toString('base64url');
}

/** Twice the age that a value may have in a function's memory, for clocks that differ and slow starts. */
const waitSeconds = 2 * maxAgeSeconds;

/**
 * Does the next step of replacing a secret; run it twice, ten minutes apart. Safe to repeat at any
 * point: what is to be done is read from the labels.
 *
 * First a new value is added that every function learns to accept. Only when all of them have does
 * it become current: a function that signed with it earlier would be refused by one that does not
 * know it yet. The value before stays accepted until the next rotation ends it.
 */
export async function rotateSecret(deps: RotateDeps): Promise<RotationStep> {
  const { store, sender } = deps;
  const now = deps.now();
  const { current, next } = await store.labels();
  if (next === undefined || next.id === current.id) {
    // Heals a rotation that was cut off before the sender heard of it.
    await sender?.send(current.value);
    await store.prepare(deps.newValue());
    return { kind: 'prepared', readyAt: plusSeconds(now, waitSeconds) };
  }
  const readyAt = plusSeconds(next.createdAt, waitSeconds);
  if (now < readyAt) return { kind: 'too-early', readyAt };
  // What it sends has to outlive this step: the value before the current one ends here.
  if (sender !== undefined && !(await sender.isSending(current.value))) {
    await sender.send(current.value);
    return { kind: 'sender-behind' };
  }
  await store.promote({ from: current.id, to: next.id });
  await sender?.send(next.value);
  return { kind: 'rotated' };
}
