import type { AccountStore } from '../accounts/ports.ts';
import type { Counters } from '../limits/counters.ts';

/** What the authorization server needs. */
export interface OAuthDeps {
  accounts: Pick<AccountStore, 'get'>;
  counters: Pick<Counters, 'count'>;
  /** Issuer and beginning of the resource; no trailing slash. */
  baseUrl: string;
  /** Whether redirects name the issuer (RFC 9207). */
  sendsIssuer: boolean;
  now(): Date;
}
