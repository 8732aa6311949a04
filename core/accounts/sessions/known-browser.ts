import { daySeconds } from '../../../contract/limits.ts';
import { createHash } from 'node:crypto';
import type { AccountId, Instant } from '../../../contract/fields.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { describeAgent } from '../../analytics/describe-agent.ts';
import type { Caller } from '../../caller.ts';
import { newToken } from '../../secret-text.ts';

/** How long a browser is known after its last sign-in. No browser keeps a cookie longer (RFC 6265bis §5.5). */
export const knownBrowserSeconds = 400 * daySeconds;

/** Browsers that have signed in to an account, by the hash of their token. */
export interface KnownBrowserStore {
  /** Records that a browser signed in; true if it had signed in before. */
  remember(
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

/** Tells whether a browser has signed in to the account before, and remembers it from now on. */
export async function recogniseBrowser(
  { knownBrowsers, now }: { knownBrowsers: KnownBrowserStore; now: () => Date },
  accountId: AccountId,
  sent: string | undefined,
): Promise<RecognisedBrowser> {
  const isOurs = sent !== undefined && /^[\w-]{43}$/.test(sent);
  const token = isOurs ? sent : newToken();
  const at = now();
  const expiresAt = instant(plusSeconds(at, knownBrowserSeconds));
  const hash = browserHash(accountId, token);
  const isKnown = await knownBrowsers.remember(accountId, hash, instant(at), expiresAt);
  return { token, isKnown };
}

/** Different for each account, so that the table does not show which accounts share a browser. */
function browserHash(accountId: AccountId, token: string): string {
  return createHash('sha256').update(`${accountId}\n${token}`).digest('hex');
}

/** What a browser or program says about itself at sign-in, so that the owner can recognise it; null if unknown. */
export interface BrowserFacts {
  browser: string | null;
  os: string | null;
  /** ISO 3166-1 alpha-2, from CloudFront. */
  country: string | null;
}

/** The facts in a caller's request. */
export function browserFacts({ agent }: Caller): BrowserFacts {
  const { browser, os } = describeAgent(agent?.userAgent ?? '');
  const country = agent?.country ?? '';
  return { browser, os, country: /^[A-Z]{2}$/.test(country) ? country : null };
}
