import {
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { backOff } from '../document-client.ts';

const Keys = z.array(z.object({ pk: z.string(), sk: z.string() }));
/** As many as one call takes (DynamoDB quota). */
const batchSize = 25;

/** Removes a partition page by page; cut off, it is taken up again where rows are left. */
export async function removePartition(
  client: DynamoDBDocumentClient,
  TableName: string,
  pk: string,
): Promise<void> {
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        ExclusiveStartKey: from,
      }),
    );
    const keys = Keys.parse(page.Items ?? []);
    for (let at = 0; at < keys.length; at += batchSize) {
      await removeRows(client, TableName, keys.slice(at, at + batchSize));
    }
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

const maxTries = 10;

async function removeRows(
  client: DynamoDBDocumentClient,
  table: string,
  keys: z.infer<typeof Keys>,
): Promise<void> {
  let left = keys;
  for (let tries = 1; left.length > 0; tries += 1) {
    if (tries > maxTries) throw new Error(`${left.length} rows could not be removed`);
    const requests = left.map((Key) => ({ DeleteRequest: { Key } }));
    const { UnprocessedItems } = await client.send(
      new BatchWriteCommand({ RequestItems: { [table]: requests } }),
    );
    left = Keys.parse((UnprocessedItems?.[table] ?? []).map((one) => one.DeleteRequest?.Key));
    if (left.length > 0) await backOff(tries);
  }
}
