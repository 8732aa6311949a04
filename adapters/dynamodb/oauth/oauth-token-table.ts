import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Instant } from '../../../contract/fields.ts';
import type { NewGrant } from '../../../core/oauth/grant.ts';
import type { RotationResult, Rotation, TokenStore } from '../../../core/oauth/ports.ts';
import { AccessToken, RefreshToken, type StoredPair } from '../../../core/oauth/tokens/tokens.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';
import { readRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';

/** Tokens in DynamoDB, by their hash; rows expire by TTL. */
export function oauthTokenTable(client: DynamoDBDocumentClient, table: string): TokenStore {
  return {
    async findAccess(accessHash) {
      const item = await readRow(client, table, oauthKeys.access(accessHash));
      return item === undefined ? undefined : AccessToken.parse(item);
    },
    async findRefresh(refreshHash) {
      const item = await readRow(client, table, oauthKeys.refresh(refreshHash));
      return item === undefined ? undefined : RefreshToken.parse(item);
    },
    async redeemCode(codeHash, usedAt, grant, pair) {
      const unmet = await writeTransaction(client, [
        ['code', useCode(table, codeHash, usedAt)],
        ['grant', putGrant(table, grant)],
        ...putTokenPairParts(table, pair),
      ]);
      return unmet.size === 0;
    },
    rotate: (refreshHash, rotation) => rotate(client, table, refreshHash, rotation),
  };
}

async function rotate(
  client: DynamoDBDocumentClient,
  table: string,
  refreshHash: string,
  rotation: Rotation,
): Promise<RotationResult> {
  const unmet = await writeTransaction(client, [
    ['used', useRefresh(table, refreshHash, rotation)],
    ['grant', prolongGrant(table, rotation.pair)],
    ...putTokenPairParts(table, rotation.pair),
  ]);
  if (unmet.size === 0) return { kind: 'rotated' };
  const usedToken = RefreshToken.safeParse(unmet.get('used')).data;
  return unmet.has('grant') || usedToken === undefined
    ? { kind: 'ended' }
    : { kind: 'replayed', current: usedToken };
}

function useCode(TableName: string, codeHash: string, usedAt: Instant) {
  return {
    Update: {
      TableName,
      Key: oauthKeys.code(codeHash),
      UpdateExpression: 'SET usedAt = :usedAt',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(usedAt)',
      ExpressionAttributeValues: { ':usedAt': usedAt },
    },
  };
}

function useRefresh(TableName: string, refreshHash: string, { rotatedAt, sealed }: Rotation) {
  return {
    Update: {
      TableName,
      Key: oauthKeys.refresh(refreshHash),
      UpdateExpression: 'SET rotatedAt = :rotatedAt, sealed = :sealed',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(rotatedAt)',
      ExpressionAttributeValues: { ':rotatedAt': rotatedAt, ':sealed': sealed },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  };
}

function putGrant(TableName: string, grant: NewGrant) {
  const Item = {
    ...oauthKeys.grant(grant),
    ...grant,
    ttl: ttlOf(grant.expiresAt),
  };
  return { Put: { TableName, Item } };
}

/** Extends a grant; does not recreate a revoked one. */
function prolongGrant(TableName: string, { refresh }: StoredPair) {
  const { accountId, grantId: id, expiresAt } = refresh;
  return {
    Update: {
      TableName,
      Key: oauthKeys.grant({ accountId, id }),
      UpdateExpression: 'SET expiresAt = :expiresAt, #ttl = :ttl',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':expiresAt': expiresAt, ':ttl': ttlOf(expiresAt) },
    },
  };
}

function putTokenPairParts(
  TableName: string,
  { accessHash, access, refreshHash, refresh }: StoredPair,
) {
  const put = (Key: object, row: AccessToken | RefreshToken) => ({
    Put: { TableName, Item: { ...Key, ...row, ttl: ttlOf(row.expiresAt) } },
  });
  return [
    ['access', put(oauthKeys.access(accessHash), access)],
    ['refresh', put(oauthKeys.refresh(refreshHash), refresh)],
  ] as const;
}
