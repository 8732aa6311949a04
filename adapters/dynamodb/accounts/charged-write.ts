import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Instant } from '../../../contract/fields.ts';
import type { AccountGuard } from '../../../core/accounts/suspension.ts';
import { backOff } from '../../../core/back-off.ts';
import type { QuotaCharge } from '../../../core/projects/quota.ts';
import {
  addsToLimit,
  isOutdated,
  quotaEvents,
  quotaNotices,
} from '../../../core/projects/quota-notice.ts';
import { deliveriesOf } from '../../../core/webhooks/delivery.ts';
import { type AccountEvent, receiversOf } from '../../../core/webhooks/webhook.ts';
import { readRow } from '../read-rows.ts';
import { type TransactionPart, writeTransaction } from '../transaction.ts';
import { deliveryParts, type EventTables } from '../webhooks/delivery-table.ts';
import { readWebhooks } from '../webhooks/webhook-table.ts';
import { accountKey } from './account-rows.ts';
import { accountParts, NoticedTotals } from './account-totals.ts';

/** What a transaction changes of an account, and the events that it makes true. */
interface AccountChange {
  charge: QuotaCharge | undefined;
  guard: AccountGuard | undefined;
  events: readonly AccountEvent[];
  at: Instant;
}

/** Each turn after the first one means that another change of the account came before. */
const maxTurns = 40;

/**
 * Writes parts together with the totals of their account and the deliveries of events, also of those that tell that
 * a limit is near. Only where a webhook wants those, the totals are read before; an account without webhooks has no
 * call more.
 * @returns the parts whose conditions failed
 */
export async function writeCharged<Name extends string>(
  client: DynamoDBDocumentClient,
  tables: EventTables,
  {
    parts,
    account,
  }: { parts: readonly (readonly [Name, TransactionPart])[]; account: AccountChange },
) {
  const { charge, guard, events, at } = account;
  for (let turn = 1; ; turn += 1) {
    const { webhooks, notices } = await readNotices(client, tables, { charge, events });
    const ofQuota = charge === undefined ? [] : quotaEvents(charge, notices, at);
    const unmet = await writeTransaction<Name | 'account' | 'delivery' | 'lane'>(client, [
      ...parts,
      ...accountParts(tables.accounts, charge, guard, notices),
      ...deliveryParts(tables.projects, deliveriesOf(webhooks, [...events, ...ofQuota])),
    ]);
    const { data: totals } = NoticedTotals.safeParse(unmet.get('account'));
    const isRepeated = totals !== undefined && notices.some((notice) => isOutdated(notice, totals));
    if (!isRepeated || turn === maxTurns) return unmet;
    await backOff(turn);
  }
}

async function readNotices(
  client: DynamoDBDocumentClient,
  { accounts }: EventTables,
  { charge, events }: Pick<AccountChange, 'charge' | 'events'>,
) {
  const accountId = charge?.accountId ?? events[0]?.accountId;
  const isAdded = addsToLimit(charge);
  const isTold = events.length > 0 || (isAdded && charge.hasWebhooks === true);
  if (accountId === undefined || !isTold) return { webhooks: [], notices: [] };
  const { webhooks } = await readWebhooks(client, accounts, accountId);
  const wanting = receiversOf(webhooks, { type: 'quota.near', projectId: null });
  if (!isAdded || wanting.length === 0) return { webhooks, notices: [] };
  const row = await readRow(client, accounts, accountKey(accountId));
  return { webhooks, notices: row ? quotaNotices(charge, NoticedTotals.parse(row)) : [] };
}
