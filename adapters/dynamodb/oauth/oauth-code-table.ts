import { daySeconds } from '../../../contract/limits.ts';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AuthorizationCodeStore } from '../../../core/oauth/ports.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { AuthorizationCode } from '../../../core/oauth/tokens/tokens.ts';
import { oauthKeys } from './oauth-rows.ts';
import { readRow } from '../read-rows.ts';

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
      const Item = { ...oauthKeys.code(codeHash), ...code, ttl };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    async find(codeHash) {
      const item = await readRow(client, table, oauthKeys.code(codeHash));
      return item === undefined ? undefined : AuthorizationCode.parse(item);
    },
  };
}
