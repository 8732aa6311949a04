import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { UsedTokens } from '../../../core/oauth/id-tokens/ports.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';

/** Used tokens of jobs in DynamoDB; rows expire by TTL, when the tokens are too old anyway. */
export function usedTokenTable(client: DynamoDBDocumentClient, TableName: string): UsedTokens {
  return {
    add: (tokenHash, refusedFrom) =>
      tryConditionalWrite(
        client.send(
          new PutCommand({
            TableName,
            Item: { ...oauthKeys.usedToken(tokenHash), ttl: ttlOf(refusedFrom) },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      ),
  };
}
