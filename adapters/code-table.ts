import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { CodeStore, CountedTry } from '../core/accounts/ports.ts';
import { maxTries, OpenCode, resendAfterSeconds } from '../core/accounts/sign-in-code.ts';
import { epochSeconds, instant, plusSeconds } from '../core/instants.ts';
import { unlessLost } from './dynamodb.ts';

/** Sign-in codes in DynamoDB, one row for each address; rows leave by TTL. */
export function codeTable(client: DynamoDBDocumentClient, table: string): CodeStore {
  const keyOf = (email: string) => ({ key: `sign-in#${email}` });
  return {
    async get(email) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: keyOf(email), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : OpenCode.parse(Item);
    },
    open: (email, code, now) =>
      unlessLost(
        client.send(
          new PutCommand({
            TableName: table,
            Item: { ...keyOf(email), ...code, ttl: ttlOf(code) },
            ConditionExpression:
              'attribute_not_exists(nonce) OR expiresAt <= :now OR tries >= :maxTries',
            ExpressionAttributeValues: { ':now': instant(now), ':maxTries': maxTries },
          }),
        ),
      ),
    noteResend: (email, code, now) => noteResend(client, table, keyOf(email), { code, now }),
    countTry: (email, now) => countTry(client, table, keyOf(email), now),
    consume: (email, nonce) =>
      unlessLost(
        client.send(
          new DeleteCommand({
            TableName: table,
            Key: keyOf(email),
            ConditionExpression: 'nonce = :nonce',
            ExpressionAttributeValues: { ':nonce': nonce },
          }),
        ),
      ),
  };
}

/** Of many who ask at once, one may send again. */
function noteResend(
  client: DynamoDBDocumentClient,
  table: string,
  Key: Record<string, string>,
  { code, now }: { code: OpenCode; now: Date },
): Promise<boolean> {
  return unlessLost(
    client.send(
      new UpdateCommand({
        TableName: table,
        Key,
        UpdateExpression: 'SET sentAt = :now',
        ConditionExpression: 'nonce = :nonce AND sentAt <= :before',
        ExpressionAttributeValues: {
          ':nonce': code.nonce,
          ':now': instant(now),
          ':before': instant(plusSeconds(now, -resendAfterSeconds)),
        },
      }),
    ),
  );
}

/** One write counts and tells; when it loses, the row as it was says why. */
async function countTry(
  client: DynamoDBDocumentClient,
  table: string,
  Key: Record<string, string>,
  now: Date,
): Promise<CountedTry> {
  try {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName: table,
        Key,
        UpdateExpression: 'ADD tries :one',
        ConditionExpression: 'attribute_exists(nonce) AND expiresAt > :now AND tries < :maxTries',
        ExpressionAttributeValues: { ':one': 1, ':now': instant(now), ':maxTries': maxTries },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    const { nonce, tries } = OpenCode.parse(Attributes);
    return { kind: 'counted', nonce, tries };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const code = OpenCode.safeParse(unmarshall(error.Item ?? {})).data;
    const live = code !== undefined && Date.parse(code.expiresAt) > now.getTime();
    return { kind: live ? 'cancelled' : 'none' };
  }
}

/** Rows outlive their code by an hour, which costs nothing and helps whoever reads the table. */
function ttlOf(code: OpenCode): number {
  return epochSeconds(plusSeconds(new Date(code.expiresAt), 3600));
}
