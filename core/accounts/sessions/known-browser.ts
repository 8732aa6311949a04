import { createHash, randomBytes } from 'node:crypto';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';

/** A browser is known for so long after its last sign-in: no browser keeps a cookie longer (RFC 6265bis §5.5). */
export const knownBrowserSeconds = 400 * 86_400;

/** The browsers that signed in to an account, by the hash of their token. */
export interface KnownBrowserStore {
  /** Notes that a browser signed in; true when it had done so before. */
  note(
    accountId: AccountId,
    browserHash: string,
    at: Instant,
    expiresAt: Instant,
  ): Promise<boolean>;
}

/** A browser's token and whether it signed in to the account before. */
export interface RecognisedBrowser {
  token: string;
  isKnown: boolean;
}

/** Recognises a browser that signs in to an account, and remembers it from now on. */
export async function recogniseBrowser(
  { knownBrowsers, now }: { knownBrowsers: KnownBrowserStore; now: () => Date },
  accountId: AccountId,
  sent: string | undefined,
): Promise<RecognisedBrowser> {
  const isOurs = sent !== undefined && /^[\w-]{43}$/.test(sent);
  const token = isOurs ? sent : randomBytes(32).toString('base64url');
  const at = now();
  const expiresAt = instant(plusSeconds(at, knownBrowserSeconds));
  const hash = hashOf(accountId, token);
  const isKnown = await knownBrowsers.note(accountId, hash, instant(at), expiresAt);
  return { token, isKnown };
}

/** One for each account, so that the table does not tell which accounts share a browser. */
function hashOf(accountId: AccountId, token: string): string {
  return createHash('sha256').update(`${accountId}\n${token}`).digest('hex');
}
