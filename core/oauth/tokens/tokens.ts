import { daySeconds } from '../../../contract/limits.ts';
import * as z from 'zod';
import { AccountId, Bytes, Instant } from '../../../contract/fields.ts';
import { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { hashSecretText, isSecretText, newSecretText } from '../../secret-text.ts';
import { GrantId } from '../grant.ts';

/** Short, because an app exchanges its code immediately. */
export const codeSeconds = 60;
const accessSeconds = 3600;
/** Counted from the last refresh. */
export const refreshSeconds = 60 * daySeconds;

/** Kinds of secrets that the authorization server issues. The kind is part of the text, for people and secret scanners. */
export type SecretKind = 'code' | 'access' | 'refresh' | 'client' | 'device';

/** A new secret, `<prefix>_oauth_<kind>_…`. */
export function newSecret(keyPrefix: string, kind: SecretKind): string {
  return newSecretText(prefixOf(keyPrefix, kind));
}

/** The hash under which a secret of this kind is stored; undefined for a text of another form. */
export function secretHash(keyPrefix: string, kind: SecretKind, text: string): string | undefined {
  return isSecretText(text, prefixOf(keyPrefix, kind)) ? hashSecretText(text) : undefined;
}

function prefixOf(keyPrefix: string, kind: SecretKind): string {
  return `${keyPrefix}_oauth_${kind}_`;
}

/** A stored authorization code; the code itself is stored only as a hash. */
export const AuthorizationCode = z.object({
  accountId: AccountId,
  /** The session that allowed it: the code ends with it. */
  sessionHash: z.string(),
  /** Id of the grant that is created when the code is used. */
  grantId: GrantId,
  clientId: z.string(),
  clientName: z.string(),
  redirectUri: z.string(),
  scopes: z.array(OAuthScope),
  /** PKCE challenge, method S256. */
  codeChallenge: z.string(),
  expiresAt: Instant,
  /** Set when it was used. */
  usedAt: z.optional(Instant),
});
export type AuthorizationCode = z.infer<typeof AuthorizationCode>;

/** A stored access token. */
export const AccessToken = z.object({
  accountId: AccountId,
  grantId: GrantId,
  /** The grant's scopes, or fewer if a refresh requested fewer. */
  scopes: z.array(OAuthScope),
  expiresAt: Instant,
});
export type AccessToken = z.infer<typeof AccessToken>;

/** A stored refresh token. */
export const RefreshToken = z.object({
  accountId: AccountId,
  grantId: GrantId,
  expiresAt: Instant,
  /** Set when it was used. */
  rotatedAt: z.optional(Instant),
  /** The encrypted answer to its first use; the token is the key. */
  sealed: z.optional(Bytes),
});
export type RefreshToken = z.infer<typeof RefreshToken>;

/** Access and refresh token as the client gets them. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

/** Access and refresh token as they are stored. */
export interface StoredPair {
  accessHash: string;
  access: AccessToken;
  refreshHash: string;
  refresh: RefreshToken;
}

/** Creates access and refresh token of a grant. */
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
