import type { AccountId, Instant } from '../../../contract/fields.ts';
import type { PlanCheck } from '../../../core/projects/history/account-history.ts';
import type { Change } from '../../../core/projects/settings/change.ts';
import { shardOf } from '../projects/project-rows.ts';

/** When an account is compared with its plan, in the table of accounts. */
export const planCheckKey = (accountId: AccountId) => ({ pk: `ACCOUNT#${accountId}`, sk: 'PLAN' });

/** Where maintenance finds it: the times of all accounts, in order. One that a check has left is passed over. */
export const planTimeKey = (accountId: AccountId, dueAt: Instant) => ({
  pk: planTimes(shardOf(accountId)),
  sk: `${dueAt}#${accountId}`,
});

/** The partition of one part of these times. */
export const planTimes = (shard: string) => `PLANS#${shard}`;

/** Puts the time of a check where maintenance finds it; always before the check itself. */
export function planTimeUpdate(TableName: string, { accountId, dueAt }: PlanCheckTime) {
  return {
    TableName,
    Key: planTimeKey(accountId, dueAt),
    UpdateExpression: 'SET accountId = :accountId, dueAt = :dueAt',
    ExpressionAttributeValues: { ':accountId': accountId, ':dueAt': dueAt },
  };
}

type PlanCheckTime = Pick<PlanCheck, 'accountId' | 'dueAt'>;

/** The parts of a project's change after which there is something to compare; a check that stands already stays. */
export function planCheckParts(TableName: string, { after, planCheckAt }: Change) {
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
