import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { AccountId, Instant } from '../../contract/fields.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomCharacters = 43;
const checksumCharacters = 6;

/** Idle days after which a sign-in key is dead (specification, "Limits"). */
export const idleDays = 90;
/** A use is noted when the last note is this old, so that not every request is a write. */
export const renewalSeconds = 3600;

/** What is stored of a key; the key itself only as a hash. */
export const StoredKey = z.object({
  accountId: AccountId,
  createdAt: Instant,
  expiresAt: Instant,
});
export type StoredKey = z.infer<typeof StoredKey>;

/** A new key: `<prefix>_live_`, 256 random bits in base 62, and a checksum for scanners and typos. */
export function newApiKey(prefix: string): string {
  const random = Array.from({ length: randomCharacters }, () => alphabet[randomInt(62)]).join('');
  const body = `${prefix}_live_${random}`;
  return body + checksum(body);
}

/** Whether a text can be a key at all; decided without a read. */
export function isWellFormed(key: string, prefix: string): boolean {
  const body = key.slice(0, -checksumCharacters);
  const start = `${prefix}_live_`;
  return (
    body.startsWith(start) &&
    body.length === start.length + randomCharacters &&
    /^[0-9A-Za-z]+$/.test(key.slice(start.length)) &&
    key === body + checksum(body)
  );
}

/** SHA-256, hexadecimal: what is stored and looked up. A key has 256 bits, so that no salt is needed. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(body: string): string {
  let left = crc32(body);
  let digits = '';
  for (let place = 0; place < checksumCharacters; place += 1) {
    digits = (alphabet[left % 62] ?? '') + digits;
    left = Math.floor(left / 62);
  }
  return digits;
}
