import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Access } from '../../../contract/fields.ts';

/** Cost: 32 MiB and a tenth of a second for each try (RFC 7914 §2). */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const hashBytes = 32;
const saltBytes = 16;

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** What is stored of a visitors' password: `scrypt$N$r$p$salt$hash`, the last two as base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt, cost);
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** The same for a new project; null where visitors are asked for none. */
export async function passwordHashFor({
  access,
  password,
}: {
  access: Access;
  password?: string | undefined;
}): Promise<string | null> {
  if (access !== 'password') return null;
  if (password === undefined) throw new Error('a password is required');
  return hashPassword(password);
}

/** Whether a password is the one that was hashed; compared in constant time. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, N, r, p, salt = '', hash = ''] = stored.split('$');
  if (scheme !== 'scrypt') throw new Error('a stored password is of an unknown scheme');
  const expected = Buffer.from(hash, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

/** Composed first, so that one password typed on two keyboards is one (RFC 8265 §4.2). */
function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  // Node refuses what needs its maximum exactly, so twice the need is allowed.
  const options = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, hashBytes, options, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    );
  });
}
