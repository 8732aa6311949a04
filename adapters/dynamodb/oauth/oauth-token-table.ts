import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Instant } from '../../../contract/fields.ts';
import type { NewGrant } from '../../../core/oauth/grant.ts';
import type { RotationResult, Rotation, TokenStore } from '../../../core/oauth/ports.ts';
import { AccessToken, RefreshToken, type StoredPair } from '../../../core/oauth/tokens/tokens.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';
import { findRow } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { exists, put, update } from '../writes.ts';

/** Tokens in DynamoDB, by their hash; rows expire by TTL. */
export function oauthTokenTable(client: DynamoDBDocumentClient, table: string): TokenStore {
  return {
    findAccess: (accessHash) =>
      findRow(client, table, oauthKeys.access(accessHash), (row) => AccessToken.parse(row)),
    findRefresh: (refreshHash) =>
      findRow(client, table, oauthKeys.refresh(refreshHash), (row) => RefreshToken.parse(row)),
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
  return update(TableName, oauthKeys.code(codeHash), {
    set: { usedAt },
    when: 'attribute_exists(pk) AND attribute_not_exists(usedAt)',
  });
}

function useRefresh(TableName: string, refreshHash: string, { rotatedAt, sealed }: Rotation) {
  return update(TableName, oauthKeys.refresh(refreshHash), {
    set: { rotatedAt, sealed },
    when: 'attribute_exists(pk) AND attribute_not_exists(rotatedAt)',
    returnsRow: true,
  });
}

function putGrant(TableName: string, grant: NewGrant) {
  return put(TableName, { ...oauthKeys.grant(grant), ...grant, ttl: ttlOf(grant.expiresAt) });
}

/** Extends a grant; does not recreate a revoked one. */
function prolongGrant(TableName: string, { refresh }: StoredPair) {
  const { accountId, grantId: id, expiresAt } = refresh;
  const set = { expiresAt, ttl: ttlOf(expiresAt) };
  return update(TableName, oauthKeys.grant({ accountId, id }), { set, ...exists });
}

function putTokenPairParts(
  TableName: string,
  { accessHash, access, refreshHash, refresh }: StoredPair,
) {
  const putToken = (Key: object, row: AccessToken | RefreshToken) =>
    put(TableName, { ...Key, ...row, ttl: ttlOf(row.expiresAt) });
  return [
    ['access', putToken(oauthKeys.access(accessHash), access)],
    ['refresh', putToken(oauthKeys.refresh(refreshHash), refresh)],
  ] as const;
}
