import type { AccountId, Instant } from '../../../contract/fields.ts';
import type { PlanCheck } from '../../../core/projects/history/account-history.ts';
import type { ProjectChange } from '../../../core/projects/change/project-change.ts';
import { dueShardOf } from '../projects/project-rows.ts';

/**
 * The row with the time at which an account is compared with its plan, in the table of accounts.
 */
export const planCheckKey = (accountId: AccountId) => ({ pk: `ACCOUNT#${accountId}`, sk: 'PLAN' });

/**
 * The row by which the sweep finds a check; such rows of all accounts are in the order of their
 * times. The sweep skips a row whose check has moved.
 */
export const planTimeKey = (accountId: AccountId, dueAt: Instant) => ({
  pk: planTimes(dueShardOf(accountId)),
  sk: `${dueAt}#${accountId}`,
});

/** The partition of one shard of these times. */
export const planTimes = (shard: string) => `PLANS#${shard}`;

/** Writes the row by which the sweep finds a check. Always write it before the check itself. */
export function planTimeUpdate(TableName: string, { accountId, dueAt }: PlanCheckTime) {
  return {
    TableName,
    Key: planTimeKey(accountId, dueAt),
    UpdateExpression: 'SET accountId = :accountId, dueAt = :dueAt',
    ExpressionAttributeValues: { ':accountId': accountId, ':dueAt': dueAt },
  };
}

type PlanCheckTime = Pick<PlanCheck, 'accountId' | 'dueAt'>;

/** The parts of a project's change that schedule a check; an existing check keeps its time. */
export function planCheckParts(TableName: string, { after, planCheckAt }: ProjectChange) {
  const { ownerId } = after;
  if (planCheckAt === undefined || ownerId === null) return [];
  const time = planTimeUpdate(TableName, { accountId: ownerId, dueAt: planCheckAt });
  const check = {
    ...time,
    Key: planCheckKey(ownerId),
    UpdateExpression: 'SET accountId = :accountId, dueAt = if_not_exists(dueAt, :dueAt)',
  };
  return [['plan-time', { Update: time }] as const, ['plan', { Update: check }] as const];
}
