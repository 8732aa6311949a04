import * as z from 'zod';
import type { AccountId } from '../../../contract/fields.ts';
import { Account } from '../../../core/accounts/account.ts';
import {
  type AccountGuard,
  type AccountState,
  stateOf,
} from '../../../core/accounts/suspension.ts';
import type { Charge, Refusal } from '../../../core/projects/quota.ts';
import { accountKey } from './account-repository.ts';

const Standing = Account.pick({ suspendedAt: true, liftingAt: true });
const Sums = z.object({ projectCount: z.number().int(), storageBytes: z.number().int() });

/**
 * The parts of a transaction about an account: what changes its sums, and that it stands as it must.
 * One of both, because a transaction may name a row once.
 */
export function accountParts(
  table: string,
  charge: Charge | undefined,
  guard: AccountGuard | undefined,
) {
  if (charge !== undefined) return [['account', chargeItem(table, charge, guard)] as const];
  return guard === undefined ? [] : [['account', guardItem(table, guard)] as const];
}

/** How an account's row says how it stands. */
const conditionOf: Record<AccountState, string> = {
  active: 'attribute_not_exists(suspendedAt)',
  suspended: 'attribute_exists(suspendedAt) AND attribute_not_exists(liftingAt)',
  lifting: 'attribute_exists(liftingAt)',
};

function guardItem(TableName: string, { accountId, expects }: AccountGuard) {
  return {
    ConditionCheck: {
      TableName,
      Key: accountKey(accountId),
      ConditionExpression: `attribute_exists(pk) AND ${conditionOf[expects]}`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  };
}

/** The part of a transaction that changes an account's sums, if the plan lets them grow; never below nothing. */
function chargeItem(table: string, charge: Charge, guard?: AccountGuard) {
  const { accountId, projects, bytes, earlierBytes, maxProjects, maxStorageBytes } = charge;
  const bounds = [
    ...bound('projectCount', projects, maxProjects),
    ...bound('storageBytes', bytes, maxStorageBytes),
  ];
  return {
    Update: {
      TableName: table,
      Key: accountKey(accountId),
      UpdateExpression:
        'ADD projectCount :projects, storageBytes :bytes, earlierBytes :earlierBytes',
      ConditionExpression: [
        'attribute_exists(pk)',
        ...(guard === undefined ? [] : [conditionOf[guard.expects]]),
        ...bounds.map(({ text }) => text),
      ].join(' AND '),
      ExpressionAttributeValues: {
        ':projects': projects,
        ':bytes': bytes,
        ':earlierBytes': earlierBytes,
        ...Object.fromEntries(bounds.map(({ name, value }) => [name, value])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  };
}

/** What a sum must be before it changes. */
function bound(sum: string, change: number, max: number) {
  const name = `:${sum}`;
  if (change < 0) return [{ text: `${sum} >= ${name}`, name, value: -change }];
  if (change === 0 || max === -1) return [];
  return [{ text: `${sum} <= ${name}`, name, value: max - change }];
}

/** Why an account did not allow a change: it does not stand as it must, or its sums do not allow a charge. */
export function refusalOf(
  row: Record<string, unknown> | undefined,
  guard: AccountGuard | undefined,
): Refusal | 'account-state' {
  if (guard !== undefined && stateOf(Standing.parse(row)) !== guard.expects) return 'account-state';
  return { refused: Sums.parse(row) };
}

/** Bytes that an account's waiting uploads reserve, or give back. */
interface Staging {
  table: string;
  accountId: AccountId;
  bytes: number;
}

/** The part of a transaction that changes what an account's uploads hold, up to `max` (-1: unlimited). */
export function stagingPart({ table, accountId, bytes }: Staging, max: number) {
  const { text, values } = stagingBound(bytes, max);
  return {
    Update: {
      TableName: table,
      Key: accountKey(accountId),
      UpdateExpression: 'ADD stagedBytes :bytes',
      ConditionExpression: `attribute_exists(pk)${text}`,
      ExpressionAttributeValues: { ':bytes': bytes, ...values },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  };
}

/** Rows from before uploads were counted have no such sum. An operand of DynamoDB is no arithmetic. */
function stagingBound(bytes: number, max: number) {
  if (bytes < 0) return { text: ' AND stagedBytes >= :bound', values: { ':bound': -bytes } };
  if (max === -1) return { text: '', values: {} };
  const isFirst = bytes <= max ? 'attribute_not_exists(stagedBytes) OR ' : '';
  return { text: ` AND (${isFirst}stagedBytes <= :bound)`, values: { ':bound': max - bytes } };
}

const Staged = z.object({ stagedBytes: z.number().int().default(0) });

/** What an account's uploads hold, where that did not allow another; throws where there is no account. */
export function readStaged(row: Record<string, unknown>) {
  Sums.parse(row);
  return Staged.parse(row);
}
