import { randomBytes } from 'node:crypto';
import { plusSeconds } from '../instants.ts';
import { maxAgeSeconds } from './cached-secret.ts';

/** The labels of a secret: its current value, and the next value if one was prepared. */
export interface SecretLabels {
  current: { id: string; value: string };
  next: { id: string; value: string; createdAt: Date } | undefined;
}

/** The store of one secret. */
export interface SecretStore {
  labels(): Promise<SecretLabels>;
  /** Adds a value that functions accept but do not sign with yet. */
  prepare(value: string): Promise<void>;
  /** Makes the next value current and the current value previous; fails if another process did. */
  promote(labels: { from: string; to: string }): Promise<void>;
}

/** A sender that adds a secret's value to requests as a header, and is configured from outside: CloudFront. */
export interface HeaderSender {
  /** Whether every request has the value now. */
  isSending(value: string): Promise<boolean>;
  /** Makes it send the value, if it does not already. */
  send(value: string): Promise<void>;
}

export interface RotateDeps {
  store: SecretStore;
  /** For the one secret that CloudFront sends. */
  sender?: HeaderSender | undefined;
  newValue(): string;
  now(): Date;
}

/**
 * The action of one run, or the reason why it did nothing. `sender-behind`: the sender does not
 * send the current value yet.
 */
export type RotationStep =
  | { kind: 'prepared'; readyAt: Date }
  | { kind: 'too-early'; readyAt: Date }
  | { kind: 'sender-behind' }
  | { kind: 'rotated' };

/** 288 random bits in base64url, which is valid in a header. */
export function newSecretValue(): string {
  return randomBytes(36).toString('base64url');
}

/** Twice the maximum age of a value in a function's memory: clocks may differ and starts may be slow. */
const waitSeconds = 2 * maxAgeSeconds;

/**
 * Performs the next step of a rotation; run it twice, ten minutes apart. Safe to repeat at any point:
 * the labels say which step is next.
 *
 * First a new value is added, and every function learns to accept it. Only then does it become
 * current: functions that do not know it yet would refuse signatures made with it. The previous value
 * is accepted until the next rotation.
 */
export async function rotateSecret(deps: RotateDeps): Promise<RotationStep> {
  const { store, sender } = deps;
  const now = deps.now();
  const { current, next } = await store.labels();
  if (next === undefined || next.id === current.id) {
    // Repairs a rotation that was interrupted before the sender was updated.
    await sender?.send(current.value);
    await store.prepare(deps.newValue());
    return { kind: 'prepared', readyAt: plusSeconds(now, waitSeconds) };
  }
  const readyAt = plusSeconds(next.createdAt, waitSeconds);
  if (now < readyAt) return { kind: 'too-early', readyAt };
  // This step ends the previous value, so the sender must send the current one first.
  if (sender !== undefined && !(await sender.isSending(current.value))) {
    await sender.send(current.value);
    return { kind: 'sender-behind' };
  }
  await store.promote({ from: current.id, to: next.id });
  await sender?.send(next.value);
  return { kind: 'rotated' };
}
