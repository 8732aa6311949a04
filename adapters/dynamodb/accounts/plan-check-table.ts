import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AccountId, Instant } from '../../../contract/fields.ts';
import { instant } from '../../../core/instants.ts';
import type { PlanCheck, PlanChecks } from '../../../core/projects/history/account-history.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { dueShardOf, dueShards } from '../projects/project-rows.ts';
import { queryRows, readRow } from '../read-rows.ts';

/** The time of a check, in the order of all. */
export const PlanTimeRow = z.object({ accountId: AccountId, dueAt: Instant });
/** The next check of an account. */
export const PlanCheckRow = PlanTimeRow.extend({ pruneAt: z.nullable(Instant).default(null) });

/** The times at which accounts are compared with their plans, in the table of accounts. */
export function planCheckTable(client: DynamoDBDocumentClient, TableName: string): PlanChecks {
  const update = (input: UpdateCommandInput) =>
    tryConditionalWrite(client.send(new UpdateCommand(input)));
  const write = async (check: PlanCheck, condition: Condition) => {
    await update(planTimeUpdate(TableName, check));
    return update(checkUpdate(TableName, check, condition));
  };
  return {
    async findCheck(accountId) {
      const row = await readRow(client, TableName, planCheckKey(accountId));
      return row === undefined ? undefined : PlanCheckRow.parse(row);
    },
    async scheduleCheck(check, mode) {
      const ifAbsent = { text: 'attribute_not_exists(pk)', values: {} };
      await write(check, mode === 'keeping' ? ifAbsent : always);
    },
    moveCheck: (from, to) => write(to, ifUnchanged(from)),
    endCheck(check) {
      const { text, values } = ifUnchanged(check);
      const removal = new DeleteCommand({
        TableName,
        Key: planCheckKey(check.accountId),
        ConditionExpression: text,
        ExpressionAttributeValues: values,
      });
      return tryConditionalWrite(client.send(removal));
    },
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
      await client.send(new DeleteCommand({ TableName, Key: planTimeKey(accountId, dueAt) }));
    },
  };
}

interface Condition {
  text: string;
  values: Record<string, unknown>;
}

const always: Condition = { text: '', values: {} };

function ifUnchanged({ dueAt, pruneAt }: PlanCheck): Condition {
  const values = { ':wasDueAt': dueAt };
  return pruneAt === null
    ? { text: 'dueAt = :wasDueAt AND attribute_not_exists(pruneAt)', values }
    : {
        text: 'dueAt = :wasDueAt AND pruneAt = :wasPruneAt',
        values: { ...values, ':wasPruneAt': pruneAt },
      };
}

/** An update, because the function that publishes has no permission for PutItem on this table. */
function checkUpdate(
  TableName: string,
  { accountId, dueAt, pruneAt }: PlanCheck,
  { text, values }: Condition,
) {
  const pruneClause = pruneAt === null ? ' REMOVE pruneAt' : ', pruneAt = :pruneAt';
  return {
    TableName,
    Key: planCheckKey(accountId),
    UpdateExpression: `SET accountId = :accountId, dueAt = :dueAt${pruneClause}`,
    ...(text === '' ? {} : { ConditionExpression: text }),
    ExpressionAttributeValues: {
      ':accountId': accountId,
      ':dueAt': dueAt,
      ...(pruneAt === null ? {} : { ':pruneAt': pruneAt }),
      ...values,
    },
  };
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

/** The partition of one shard of these times. */
const planTimes = (shard: string) => `PLANS#${shard}`;

/** Writes the row by which the sweep finds a check. Always write it before the check itself. */
function planTimeUpdate(TableName: string, { accountId, dueAt }: PlanCheckTime) {
  return {
    TableName,
    Key: planTimeKey(accountId, dueAt),
    UpdateExpression: 'SET accountId = :accountId, dueAt = :dueAt',
    ExpressionAttributeValues: { ':accountId': accountId, ':dueAt': dueAt },
  };
}

type PlanCheckTime = Pick<PlanCheck, 'accountId' | 'dueAt'>;

/** The parts of a transaction that schedule a check of an account, in place of an earlier one. */
export function checkParts(TableName: string, accountId: AccountId, dueAt: Instant) {
  const time = planTimeUpdate(TableName, { accountId, dueAt });
  const check = {
    ...time,
    Key: planCheckKey(accountId),
    UpdateExpression: 'SET accountId = :accountId, dueAt = :dueAt REMOVE pruneAt',
  };
  return [['plan-time', { Update: time }] as const, ['plan', { Update: check }] as const];
}
