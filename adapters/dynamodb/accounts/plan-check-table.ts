import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId, Instant } from '../../../contract/fields.ts';
import { instant } from '../../../core/instants.ts';
import type { PlanCheck, PlanChecks } from '../../../core/projects/history/account-history.ts';
import { dueShardOf, dueShards } from '../projects/project-rows.ts';
import { findRow, queryRows } from '../read-rows.ts';
import { type Condition, isNew, nullsRemoved, remove, update, write } from '../writes.ts';

/** The time of a check, in the order of all. */
export const PlanTimeRow = z.object({ accountId: AccountId, dueAt: Instant });
/** The next check of an account. */
export const PlanCheckRow = PlanTimeRow.extend({ pruneAt: z.nullable(Instant).default(null) });

/** The times at which accounts are compared with their plans, in the table of accounts. */
export function planCheckTable(client: DynamoDBDocumentClient, TableName: string): PlanChecks {
  const store = async (check: PlanCheck, condition?: Condition) => {
    await write(client, planTimeUpdate(TableName, check));
    return write(client, checkUpdate(TableName, check, condition));
  };
  return {
    findCheck: (accountId) =>
      findRow(client, TableName, planCheckKey(accountId), (row) => PlanCheckRow.parse(row)),
    async scheduleCheck(check, mode) {
      await store(check, mode === 'keeping' ? isNew : undefined);
    },
    moveCheck: (from, to) => store(to, ifUnchanged(from)),
    endCheck: (check) =>
      write(client, remove(TableName, planCheckKey(check.accountId), ifUnchanged(check))),
    async *dueChecks(now) {
      for (const shard of dueShards) {
        // Sorts after every id of that instant.
        const until = `${instant(now)}#~`;
        const rows = await queryRows(client, {
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk <= :until',
          ExpressionAttributeValues: { ':pk': planTimes(shard), ':until': until },
        });
        yield* z.array(PlanTimeRow).parse(rows);
      }
    },
    async forgetTime({ accountId, dueAt }) {
      await write(client, remove(TableName, planTimeKey(accountId, dueAt)));
    },
  };
}

function ifUnchanged({ dueAt: wasDueAt, pruneAt }: PlanCheck): Condition {
  return pruneAt === null
    ? { when: 'dueAt = :wasDueAt AND attribute_not_exists(pruneAt)', values: { wasDueAt } }
    : {
        when: 'dueAt = :wasDueAt AND pruneAt = :wasPruneAt',
        values: { wasDueAt, wasPruneAt: pruneAt },
      };
}

/** An update, because the function that publishes has no permission for PutItem on this table. */
function checkUpdate(TableName: string, check: PlanCheck, condition?: Condition) {
  const { accountId, dueAt, pruneAt } = check;
  const changes = nullsRemoved({ accountId, dueAt, pruneAt });
  return update(TableName, planCheckKey(accountId), { ...changes, ...condition });
}

/**
 * The row with the time at which an account is compared with its plan, in the table of accounts.
 */
const planCheckKey = (accountId: AccountId) => ({ pk: `ACCOUNT#${accountId}`, sk: 'PLAN' });

/**
 * The row by which the sweep finds a check; such rows of all accounts are in the order of their
 * times. The sweep skips a row whose check has moved.
 */
const planTimeKey = (accountId: AccountId, dueAt: Instant) => ({
  pk: planTimes(dueShardOf(accountId)),
  sk: `${dueAt}#${accountId}`,
});

const planTimes = (shard: string) => `PLANS#${shard}`;

/** Writes the row by which the sweep finds a check. Always write it before the check itself. */
function planTimeUpdate(TableName: string, { accountId, dueAt }: PlanCheckTime) {
  return update(TableName, planTimeKey(accountId, dueAt), { set: { accountId, dueAt } });
}

type PlanCheckTime = Pick<PlanCheck, 'accountId' | 'dueAt'>;

/** The parts of a transaction that schedule a check of an account, in place of an earlier one. */
export function checkParts(TableName: string, accountId: AccountId, dueAt: Instant) {
  const check = { accountId, dueAt, pruneAt: null };
  return [
    ['plan-time', planTimeUpdate(TableName, check)] as const,
    ['plan', checkUpdate(TableName, check)] as const,
  ];
}
