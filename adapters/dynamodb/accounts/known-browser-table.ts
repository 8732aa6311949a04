import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { KnownBrowserStore } from '../../../core/accounts/sessions/known-browser.ts';
import { epochSeconds } from '../../../core/instants.ts';
import { accountKey } from './account-repository.ts';

/** The browsers that signed in to accounts, in DynamoDB; rows leave by TTL at their end. */
export function knownBrowserTable(
  client: DynamoDBDocumentClient,
  table: string,
): KnownBrowserStore {
  return {
    async note(accountId, browserHash, at, expiresAt) {
      const { pk } = accountKey(accountId);
      const ttl = epochSeconds(new Date(expiresAt));
      const { Attributes } = await client.send(
        new PutCommand({
          TableName: table,
          Item: { pk, sk: `BROWSER#${browserHash}`, signedInAt: at, expiresAt, ttl },
          ReturnValues: 'ALL_OLD',
        }),
      );
      return Attributes !== undefined && String(Attributes['expiresAt']) > at;
    },
  };
}
