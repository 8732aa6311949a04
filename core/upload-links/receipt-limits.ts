import type { AccountId } from '../../contract/fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import { normaliseEmail } from '../accounts/account.ts';
import { mailBudget } from '../accounts/sign-in/mail-limits.ts';
import { addressPlaces } from '../limits/address-limits.ts';
import type { Counters } from '../limits/counters.ts';
import { reservePlaces } from '../limits/reserve-places.ts';
import { mailboxOf } from '../people/people-list.ts';
import type { UsableLink } from './find-usable-link.ts';

/*
 * Senders type the address of a receipt, so it may be somebody else's. Nobody can cause many mails: not to one mailbox,
 * not from one network, not by one file request or account. What is beyond a limit gets no mail; the receipt is on the page.
 */
const perDay = (limit: number) => ({ limit, windowSeconds: daySeconds });
const ofCaller = [perDay(20)];
/** Perhaps a school. */
const ofNetwork = [perDay(60)];
const toMailbox = [perDay(3), { limit: 10, windowSeconds: 30 * daySeconds }];
const ofRequest = [perDay(100)];
const ofAccount = [perDay(200)];
/** Apart from the mails that people sign in with. */
const ofAll = { ...mailBudget, limit: mailBudget.limit / 4 };

/** Whether the sender of an upload gets a receipt by mail, as its row says it; counts one of the caller and its network. */
export async function receiptOf(
  deps: { counters: Pick<Counters, 'reserve' | 'release'>; now(): Date },
  { guest, link }: Pick<UsableLink, 'guest' | 'link'>,
  senderEmail: string | null,
): Promise<{ mailsReceipt: true } | undefined> {
  if (senderEmail === null || link.request?.receipts !== true) return undefined;
  const places = addressPlaces('receipts-from', guest.address, ofCaller, ofNetwork);
  const { reserved } = await reservePlaces(deps.counters, places, deps.now());
  return reserved ? { mailsReceipt: true } : undefined;
}

/** Counts a receipt that is to be mailed; false if one of the limits is full. */
export async function mayMailReceipt(
  counters: Counters,
  { accountId, linkId, email }: { accountId: AccountId; linkId: string; email: string },
  now: Date,
): Promise<boolean> {
  const places = [
    { name: 'mailbox', key: `receipts-to#${mailboxOf(normaliseEmail(email))}`, rules: toMailbox },
    { name: 'request', key: `receipts-of#${linkId}`, rules: ofRequest },
    { name: 'account', key: `receipts-of#${accountId}`, rules: ofAccount },
  ];
  const { reserved } = await reservePlaces(counters, places, now);
  return (
    reserved && (await counters.count('mailed-receipts', ofAll.windowSeconds, now)) <= ofAll.limit
  );
}
