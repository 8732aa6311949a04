import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** One row as it is now. */
export async function readRow(
  client: DynamoDBDocumentClient,
  TableName: string,
  Key: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item;
}

/** Every row that a query finds; a page of DynamoDB has 1 MB at most. */
export async function queryRows(
  client: DynamoDBDocumentClient,
  query: Omit<QueryCommandInput, 'ExclusiveStartKey' | 'Limit'>,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new QueryCommand({ ...query, ExclusiveStartKey: from }));
    found.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return found;
}
