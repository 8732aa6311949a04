import * as z from 'zod';
import type { AccountId } from '../contract/fields.ts';
import type { Charge, Refusal } from '../core/projects/quota.ts';
import { accountKey } from './account-repository.ts';

const Sums = z.object({ projectCount: z.number().int(), storageBytes: z.number().int() });

/** The part of a transaction that counts one more project, if the plan lets it. */
export function chargeItem(table: string, charge: Charge) {
  const { accountId, bytes, maxProjects, maxStorageBytes } = charge;
  const conditions = [
    'attribute_exists(pk)',
    ...(maxProjects === -1 ? [] : ['projectCount < :maxProjects']),
    ...(maxStorageBytes === -1 ? [] : ['storageBytes <= :room']),
  ];
  return {
    Update: {
      TableName: table,
      Key: accountKey(accountId),
      UpdateExpression: 'ADD projectCount :one, storageBytes :bytes',
      ConditionExpression: conditions.join(' AND '),
      ExpressionAttributeValues: {
        ':one': 1,
        ':bytes': bytes,
        ...(maxProjects === -1 ? {} : { ':maxProjects': maxProjects }),
        ...(maxStorageBytes === -1 ? {} : { ':room': maxStorageBytes - bytes }),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  };
}

/** The part of a transaction that counts one project less, never below nothing. */
export function releaseItem(table: string, release: { accountId: AccountId; bytes: number }) {
  return {
    Update: {
      TableName: table,
      Key: accountKey(release.accountId),
      UpdateExpression: 'ADD projectCount :lessOne, storageBytes :lessBytes',
      ConditionExpression: 'projectCount >= :one AND storageBytes >= :bytes',
      ExpressionAttributeValues: {
        ':one': 1,
        ':bytes': release.bytes,
        ':lessOne': -1,
        ':lessBytes': -release.bytes,
      },
    },
  };
}

/** The sums that did not allow a charge; throws where there is no account. */
export function refusalOf(row: Record<string, unknown> | undefined): Refusal {
  return { refused: Sums.parse(row) };
}
