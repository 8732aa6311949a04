import * as z from 'zod';
import { AccountId, Bytes, Instant } from '../../../contract/fields.ts';
import { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { hashSecretText, isSecretText, newSecretText } from '../../secret-text.ts';
import { GrantId } from '../grant.ts';

/** A code is fetched by the app at once. */
export const codeSeconds = 60;
const accessSeconds = 3600;
/** Counted from the last refresh. */
export const refreshSeconds = 60 * 86_400;

/** What the authorization server gives out; the name is a part of the text, for people and secret scanners. */
export type SecretKind = 'code' | 'access' | 'refresh' | 'client';

/** A new secret, `<prefix>_oauth_<kind>_…`. */
export function newSecret(keyPrefix: string, kind: SecretKind): string {
  return newSecretText(startOf(keyPrefix, kind));
}

/** The hash under which a secret of this kind is stored; undefined for a text that can be none. */
export function secretHash(keyPrefix: string, kind: SecretKind, text: string): string | undefined {
  return isSecretText(text, startOf(keyPrefix, kind)) ? hashSecretText(text) : undefined;
}

function startOf(keyPrefix: string, kind: SecretKind): string {
  return `${keyPrefix}_oauth_${kind}_`;
}

/** What is stored of an authorization code; the code itself only as a hash. */
export const AuthorizationCode = z.object({
  accountId: AccountId,
  /** Of the grant that using the code makes. */
  grantId: GrantId,
  clientId: z.string(),
  clientName: z.string(),
  redirectUri: z.string(),
  scopes: z.array(OAuthScope),
  /** Of S256. */
  codeChallenge: z.string(),
  expiresAt: Instant,
  /** Set once it was used. */
  usedAt: Instant.optional(),
});
export type AuthorizationCode = z.infer<typeof AuthorizationCode>;

/** What is stored of an access token. */
export const AccessToken = z.object({
  accountId: AccountId,
  grantId: GrantId,
  /** The grant's, or fewer where a refresh asked for fewer. */
  scopes: z.array(OAuthScope),
  expiresAt: Instant,
});
export type AccessToken = z.infer<typeof AccessToken>;

/** What is stored of a refresh token. */
export const RefreshToken = z.object({
  accountId: AccountId,
  grantId: GrantId,
  expiresAt: Instant,
  /** Set once it was used. */
  rotatedAt: Instant.optional(),
  /** The answer that its first use got, for whoever has the token. */
  sealed: Bytes.optional(),
});
export type RefreshToken = z.infer<typeof RefreshToken>;

/** Two tokens as their client gets them. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

/** Two tokens as they are stored. */
export interface StoredPair {
  accessHash: string;
  access: AccessToken;
  refreshHash: string;
  refresh: RefreshToken;
}

/** Two new tokens of a grant. */
export function newPair(
  keyPrefix: string,
  of: Pick<AccessToken, 'accountId' | 'grantId' | 'scopes'>,
  now: Date,
): { pair: TokenPair; stored: StoredPair } {
  const accessToken = newSecret(keyPrefix, 'access');
  const refreshToken = newSecret(keyPrefix, 'refresh');
  const { accountId, grantId, scopes } = of;
  const access = {
    accountId,
    grantId,
    scopes,
    expiresAt: instant(plusSeconds(now, accessSeconds)),
  };
  const refresh = { accountId, grantId, expiresAt: instant(plusSeconds(now, refreshSeconds)) };
  return {
    pair: { accessToken, refreshToken },
    stored: {
      accessHash: hashSecretText(accessToken),
      access,
      refreshHash: hashSecretText(refreshToken),
      refresh,
    },
  };
}
