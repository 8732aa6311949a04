import { daySeconds } from '../../../contract/limits.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuthorizationCodeStore } from '../../../core/oauth/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { AuthorizationCode } from '../../../core/oauth/tokens/tokens.ts';
import { oauthKeys } from './oauth-rows.ts';
import { findRow } from '../read-rows.ts';
import { put, write } from '../writes.ts';

/** A used code is kept for this time, to detect a second use. */
const endedSeconds = daySeconds;

/** Authorization codes in DynamoDB; rows expire by TTL. */
export function oauthCodeTable(
  client: DynamoDBDocumentClient,
  table: string,
): AuthorizationCodeStore {
  return {
    async put(codeHash, code) {
      const ttl = epochSeconds(plusSeconds(new Date(code.expiresAt), endedSeconds));
      await write(client, put(table, { ...oauthKeys.code(codeHash), ...code, ttl }));
    },
    find: (codeHash) =>
      findRow(client, table, oauthKeys.code(codeHash), (row) => AuthorizationCode.parse(row)),
  };
}
