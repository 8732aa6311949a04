import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AccountId, Instant, KeyId, KeyKind } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { hashSecretText, isSecretText, newSecretText } from '../../secret-text.ts';

/** Idle days after which a sign-in key is dead (docs/contract.md, "Callers"). */
const idleDays = 90;
/** A use is noted when the last note is this old, so that not every request is a write. */
const renewalSeconds = 3600;

/** What is stored of a key; the key itself only as a hash. */
export const StoredKey = z.object({
  accountId: AccountId,
  /** Absent where the row is older than ids; such a key is in no list. */
  id: KeyId.optional(),
  name: z.string().default('Sign-in'),
  kind: KeyKind.default('sign-in'),
  /** The beginning of the key, by which its owner tells it from others. */
  hint: z.string().default(''),
  createdAt: Instant,
  lastUsedAt: Instant.nullable().default(null),
  /** Null for a key that never expires. */
  expiresAt: Instant.nullable().default(null),
});
export type StoredKey = z.infer<typeof StoredKey>;

/** A key whose owner can name it. */
export type NamedKey = StoredKey & { id: KeyId };

/** What is to be stored of a key made now by signing in, which counts as its first use. */
export function signInKey(
  accountId: AccountId,
  apiKey: string,
  now: Date,
): NamedKey & { expiresAt: Instant } {
  return {
    ...named(accountId, apiKey, now),
    name: 'Sign-in',
    kind: 'sign-in',
    lastUsedAt: instant(now),
    expiresAt: idleEnd(now),
  };
}

/** What is to be stored of a key made now on the dashboard; it never expires. */
export function dashboardKey(
  accountId: AccountId,
  apiKey: string,
  name: string,
  now: Date,
): NamedKey {
  return {
    ...named(accountId, apiKey, now),
    name,
    kind: 'dashboard',
    lastUsedAt: null,
    expiresAt: null,
  };
}

/** The key as a use now leaves it; undefined where the last use was noted a moment ago. */
export function usedNow(key: StoredKey, now: Date): StoredKey | undefined {
  const noted = key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt);
  if (now.getTime() - noted < renewalSeconds * 1000) return undefined;
  return {
    ...key,
    lastUsedAt: instant(now),
    expiresAt: key.expiresAt === null ? null : idleEnd(now),
  };
}

/** Whether a key was not used for too long. */
export function isExpired({ expiresAt }: Pick<StoredKey, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
}

function named(accountId: AccountId, apiKey: string, now: Date) {
  const hint = `${apiKey.slice(0, apiKey.lastIndexOf('_') + 5)}…`;
  return { accountId, id: KeyId.parse(randomUUID()), hint, createdAt: instant(now) };
}

function idleEnd(now: Date): Instant {
  return instant(plusSeconds(now, idleDays * 86_400));
}

/** A new key: `<prefix>_live_` and 256 random bits. */
export function newApiKey(prefix: string): string {
  return newSecretText(startOf(prefix));
}

/** Whether a text can be a key at all; decided without a read. */
export function isWellFormed(key: string, prefix: string): boolean {
  return isSecretText(key, startOf(prefix));
}

/** SHA-256, hexadecimal: what is stored and looked up. */
export function hashKey(key: string): string {
  return hashSecretText(key);
}

function startOf(prefix: string): string {
  return `${prefix}_live_`;
}
