import * as z from 'zod';
import { daySeconds } from '../../contract/limits.ts';
import type { Account } from '../accounts/account.ts';
import type { StoredDomain } from './domain.ts';

/**
 * The certificates that this installation requested, by day. ACM counts the requests of 365 days for a
 * whole AWS account, those for deleted certificates too.
 */
export const CertificateLedger = z.object({
  /** Increases with every change. */
  revision: z.number().int().nonnegative(),
  days: z.record(z.string(), z.number().int().positive()),
});
export type CertificateLedger = z.infer<typeof CertificateLedger>;

/** The requests of an account: on the day of its last request, and in total. */
export interface AccountRequests {
  day: string;
  ofDay: number;
  total: number;
}

/** The most certificates for one account and for the installation. */
export interface CertificateLimits {
  ofDay: number;
  ofLife: number;
  ofYear: number;
}

/** The limit that forbids another request. */
type CertificateRefusal = NonNullable<StoredDomain['certificateRefusal']>;

/** A customer who changes domains all day stays below this. */
const requestsOfDay = 20;
/** For each domain of the plan; a name that is added again gets its kept certificate. */
const requestsOfDomain = 5;
/** For plans without a limit of domains: as many as ACM keeps for an AWS account at a time. */
const requestsOfLife = 2500;
/** The operator is told when this share of the year's certificates is used. */
const noticeShare = 0.8;

/**
 * How many of the year's certificates may already be used when an account gets one. Accounts that
 * do not pay share one half, because anybody may begin many trials. Pure.
 */
export function yearsCertificates({ tier }: Pick<Account, 'tier'>, ofYear: number): number {
  return tier === 'free' ? Math.floor(ofYear / 2) : ofYear;
}

/** The limits of an account whose plan includes `customDomains` domains; -1 for no limit. Pure. */
export function certificateLimits(customDomains: number, ofYear: number): CertificateLimits {
  const ofLife = customDomains === -1 ? requestsOfLife : customDomains * requestsOfDomain;
  return { ofDay: requestsOfDay, ofLife, ofYear };
}

/** The limit that one more request would exceed. Pure. */
export function certificateRefusal(
  { account, ledger }: { account: AccountRequests; ledger: CertificateLedger },
  limits: CertificateLimits,
  now: Date,
): CertificateRefusal | undefined {
  if (account.total >= limits.ofLife) return 'life';
  if (account.day === dayOf(now) && account.ofDay >= limits.ofDay) return 'day';
  return requestsOfYear(ledger, now) >= limits.ofYear ? 'year' : undefined;
}

/** The requests of the last 365 days, the first and the last of them whole. Pure. */
export function requestsOfYear({ days }: CertificateLedger, now: Date): number {
  return recent(days, now).reduce((total, [, count]) => total + count, 0);
}

/** The installation's requests with one more. Pure; forgets days that no longer count. */
export function withRequest({ revision, days }: CertificateLedger, now: Date): CertificateLedger {
  const day = dayOf(now);
  const kept = Object.fromEntries(recent(days, now));
  return { revision: revision + 1, days: { ...kept, [day]: (kept[day] ?? 0) + 1 } };
}

/** An account's requests with one more. Pure. */
export function withAccountRequest(account: AccountRequests, now: Date): AccountRequests {
  const day = dayOf(now);
  return { day, ofDay: account.day === day ? account.ofDay + 1 : 1, total: account.total + 1 };
}

/** Whether the operator has to know how much of the year is used. Pure. */
export function isBudgetShort(used: number, ofYear: number): boolean {
  return used >= ofYear * noticeShare;
}

function recent(days: CertificateLedger['days'], now: Date): [string, number][] {
  const first = dayOf(new Date(now.getTime() - 365 * daySeconds * 1000));
  return Object.entries(days).filter(([day]) => day >= first);
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
