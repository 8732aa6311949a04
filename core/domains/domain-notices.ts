import { daySeconds, domainGraceDays } from '../../contract/limits.ts';
import type { Account } from '../accounts/account.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Counters } from '../limits/counters.ts';
import type { StoredDomain } from './domain.ts';
import { isCertificateEnding } from './domain-trouble.ts';
import { shownName } from './domain-name.ts';
import type { DomainMailer, DomainNotice } from './ports.ts';

/** After this, the owner gets another mail about the same problem. */
const repeatDays = 7;
/**
 * Days between mails about lost records: they may disappear and return as often as the owner of the
 * zone likes.
 */
const lostRecordsDays = 1;

/**
 * Mails about its domains that an account gets in a day. Limited because somebody who adds and
 * removes domains, or takes names from an accomplice, could cause any number. The last mail says
 * that there are no more that day; the list of domains shows the rest.
 */
const mailsOfAccount = { limit: 20, windowSeconds: daySeconds };

/** Dependencies of {@link tellOwner}. */
export interface TellOwnerDeps {
  counters: Pick<Counters, 'count'>;
  domainMailer: DomainMailer;
}

/** Mails a notice to the owner of a domain, unless the account has had its mails of the day. */
export async function tellOwner(
  { counters, domainMailer }: TellOwnerDeps,
  { id, email }: Pick<Account, 'id' | 'email'>,
  notice: DomainNotice,
  now: Date,
): Promise<void> {
  const { limit, windowSeconds } = mailsOfAccount;
  const mails = await counters.count(`domain-mails#${id}`, windowSeconds, now);
  if (mails > limit) return;
  await domainMailer.sendDomainNotice(email, { ...notice, isLastToday: mails === limit });
}

type After = Pick<
  StoredDomain,
  'status' | 'records' | 'certificateExpiresAt' | 'planEndedAt' | 'verifiedAt' | 'waitingSince'
> & { isResting: boolean };

/** The most urgent mail that a change of a domain requires, if any. Pure. */
export function noticeFor(
  before: StoredDomain,
  after: Partial<After> & Pick<After, 'isResting' | 'status'>,
  now: Date,
): DomainNotice | undefined {
  const current = { ...before, ...after };
  const domain = shownName(before.name);
  if (current.verifiedAt === null) return undefined;
  if (current.planEndedAt !== null && before.planEndedAt === null) {
    const restsAt = plusSeconds(new Date(current.planEndedAt), domainGraceDays * daySeconds);
    return { domain, kind: 'plan-ended', detail: instant(restsAt) };
  }
  if (current.isResting && !hasRested(before, now)) return { domain, kind: 'resting', detail: '' };
  if (current.status === 'error_dns' && mustTellOfRecords(current, before, now))
    return { domain, kind: 'lost-records', detail: recordTexts(current.records) };
  return certificateNotice(domain, { ...current, noticedAt: before.noticedAt }, now);
}

/** One mail each time that records disappear, but at most one a day. */
function mustTellOfRecords(
  { waitingSince }: Pick<StoredDomain, 'waitingSince'>,
  { status, noticedAt }: Pick<StoredDomain, 'status' | 'noticedAt'>,
  now: Date,
): boolean {
  if (noticedAt === null) return status !== 'error_dns';
  const isTold = status === 'error_dns' && noticedAt >= waitingSince;
  return !isTold && !isWithin(noticedAt, now, lostRecordsDays);
}

/**
 * The notice about a certificate that is not renewed. ACM renews a certificate 45 days before its
 * end, if it finds the validation record.
 */
function certificateNotice(
  domain: string,
  {
    certificateExpiresAt,
    noticedAt,
    records,
  }: Pick<StoredDomain, 'certificateExpiresAt' | 'noticedAt' | 'records'>,
  now: Date,
): DomainNotice | undefined {
  if (!isCertificateEnding({ certificateExpiresAt }, now)) return undefined;
  if (noticedAt !== null && isWithin(noticedAt, now, repeatDays)) return undefined;
  const detail = `${certificateExpiresAt}\n${recordTexts(records)}`.trim();
  return { domain, kind: 'certificate-ends', detail };
}

function isWithin(at: string, now: Date, days: number): boolean {
  return now.getTime() - Date.parse(at) < days * daySeconds * 1000;
}

/** Whether the owner was told already that the domain rests. */
function hasRested({ planEndedAt, noticedAt }: StoredDomain, now: Date): boolean {
  if (planEndedAt === null || noticedAt === null) return false;
  const restsAt = Date.parse(planEndedAt) + domainGraceDays * daySeconds * 1000;
  return restsAt <= now.getTime() && Date.parse(noticedAt) >= restsAt;
}

/** The records that are not right, one a line. */
function recordTexts(records: StoredDomain['records']): string {
  return records
    .filter(({ state, purpose }) => state !== 'ok' && purpose !== 'root')
    .map(({ type, name, value }) => `${type} ${name ?? ''} ${value ?? ''}`.trim())
    .join('\n');
}
