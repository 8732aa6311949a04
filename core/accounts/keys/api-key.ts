import { daySeconds } from '../../../contract/limits.ts';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AccountId, Instant, KeyId, KeyKind, ProjectId } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { OAuthScope, oauthScopes } from '../../../contract/oauth/oauth.ts';
import { hashSecretText, isSecretText, newSecretText } from '../../secret-text.ts';

/** A sign-in key expires after this many days without use (docs/contract.md, "Callers"). */
const idleDays = 90;
/** A use is recorded at most once in this time, so that not every request is a write. */
const renewalSeconds = 3600;

/** The stored form of a key; the key itself only as a hash. */
export const StoredKey = z.object({
  accountId: AccountId,
  id: KeyId,
  name: z.string(),
  /** `publisher`: a job of a trusted publisher got it. */
  kind: z.enum([...KeyKind.options, 'publisher']),
  /** The start of the key, so that its owner can recognise it. */
  hint: z.string(),
  permissions: z.array(OAuthScope),
  /** The projects that the key may use; null for all of its account. */
  projectIds: z.nullable(z.array(ProjectId)),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
  /** Null for a key that never expires. */
  expiresAt: z.nullable(Instant),
});
export type StoredKey = z.infer<typeof StoredKey>;

/** A key in its owner's list: not one of a trusted publisher, which ends by itself. */
export type ListedKey = StoredKey & { kind: z.infer<typeof KeyKind> };

/**
 * The owner's choices for a new key. Without `permissions` it may do everything that a key can; without
 * `projectIds` it may use every project; without an expiry it never expires.
 */
export interface DashboardKey {
  name: string;
  permissions?: OAuthScope[] | undefined;
  projectIds?: ProjectId[] | null | undefined;
  expiresAt?: Instant | null;
}

/** The row of a key that a sign-in creates now. The sign-in counts as its first use. */
export function newSignInKey(
  accountId: AccountId,
  apiKey: string,
  now: Date,
): ListedKey & { expiresAt: Instant } {
  return {
    ...keyIdentity(accountId, apiKey, now),
    name: 'Sign-in',
    kind: 'sign-in',
    permissions: [...oauthScopes],
    projectIds: null,
    lastUsedAt: instant(now),
    expiresAt: idleExpiry(now),
  };
}

/** The row of a key that is created now on the dashboard. */
export function newDashboardKey(
  accountId: AccountId,
  apiKey: string,
  { name, permissions = [...oauthScopes], projectIds = null, expiresAt = null }: DashboardKey,
  now: Date,
): ListedKey {
  return {
    ...keyIdentity(accountId, apiKey, now),
    name,
    kind: 'dashboard',
    permissions,
    projectIds,
    lastUsedAt: null,
    expiresAt,
  };
}

/** The key with its use recorded; undefined if a recent use is already recorded. */
export function withUseNow(key: StoredKey, now: Date): StoredKey | undefined {
  const noted = key.lastUsedAt === null ? 0 : Date.parse(key.lastUsedAt);
  if (now.getTime() - noted < renewalSeconds * 1000) return undefined;
  return {
    ...key,
    lastUsedAt: instant(now),
    expiresAt: key.kind === 'sign-in' ? idleExpiry(now) : key.expiresAt,
  };
}

/** What every new key has. */
export function keyIdentity(accountId: AccountId, apiKey: string, now: Date) {
  const hint = `${apiKey.slice(0, apiKey.lastIndexOf('_') + 5)}…`;
  return { accountId, id: KeyId.parse(randomUUID()), hint, createdAt: instant(now) };
}

function idleExpiry(now: Date): Instant {
  return instant(plusSeconds(now, idleDays * daySeconds));
}

/** A new key: `<prefix>_live_` and 256 random bits. */
export function newApiKey(prefix: string): string {
  return newSecretText(keyStart(prefix));
}

/** Whether a text has the form of a key; needs no read. */
export function isWellFormed(key: string, prefix: string): boolean {
  return isSecretText(key, keyStart(prefix));
}

/** SHA-256, hexadecimal: the stored form, used for lookups. */
export function hashKey(key: string): string {
  return hashSecretText(key);
}

function keyStart(prefix: string): string {
  return `${prefix}_live_`;
}
