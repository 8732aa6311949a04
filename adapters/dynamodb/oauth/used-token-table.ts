import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { UsedTokens } from '../../../core/oauth/id-tokens/ports.ts';
import { isNew, put, write } from '../writes.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';

/** Used tokens of jobs in DynamoDB; rows expire by TTL, when the tokens are too old anyway. */
export function usedTokenTable(client: DynamoDBDocumentClient, TableName: string): UsedTokens {
  return {
    add(tokenHash, refusedFrom) {
      const row = { ...oauthKeys.usedToken(tokenHash), ttl: ttlOf(refusedFrom) };
      return write(client, put(TableName, row, isNew));
    },
  };
}
