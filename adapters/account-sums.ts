import * as z from 'zod';
import type { Charge, Refusal } from '../core/projects/quota.ts';
import { accountKey } from './account-repository.ts';

const Sums = z.object({ projectCount: z.number().int(), storageBytes: z.number().int() });

/** The part of a transaction that changes an account's sums, if the plan lets them grow; never below nothing. */
export function chargeItem(table: string, charge: Charge) {
  const { accountId, projects, bytes, maxProjects, maxStorageBytes } = charge;
  const bounds = [
    ...bound('projectCount', projects, maxProjects),
    ...bound('storageBytes', bytes, maxStorageBytes),
  ];
  return {
    Update: {
      TableName: table,
      Key: accountKey(accountId),
      UpdateExpression: 'ADD projectCount :projects, storageBytes :bytes',
      ConditionExpression: ['attribute_exists(pk)', ...bounds.map(({ text }) => text)].join(
        ' AND ',
      ),
      ExpressionAttributeValues: {
        ':projects': projects,
        ':bytes': bytes,
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

/** The sums that did not allow a charge; throws where there is no account. */
export function refusalOf(row: Record<string, unknown> | undefined): Refusal {
  return { refused: Sums.parse(row) };
}
