import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** Reads one row, strongly consistent. */
export async function readRow(
  client: DynamoDBDocumentClient,
  TableName: string,
  Key: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item;
}

/** The pages of a query, one call each. DynamoDB limits a page to 1 MB, regardless of `Limit`. */
export async function* queryPages(
  client: DynamoDBDocumentClient,
  query: Omit<QueryCommandInput, 'ExclusiveStartKey'>,
): AsyncGenerator<Record<string, unknown>[]> {
  let from: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new QueryCommand({ ...query, ExclusiveStartKey: from }));
    yield page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

const maxPageRows = 1000;

/** The rows that a query finds: all of them, or the first `limit`. */
export async function queryRows(
  client: DynamoDBDocumentClient,
  query: Omit<QueryCommandInput, 'ExclusiveStartKey' | 'Limit'>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const Limit = Number.isFinite(limit) ? Math.min(limit - found.length, maxPageRows) : undefined;
    const page = await client.send(new QueryCommand({ ...query, Limit, ExclusiveStartKey: from }));
    found.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined && found.length < limit);
  return found;
}

/** Reads one row by its full key, strongly consistent; `undefined` if it does not exist. */
export type ReadItem = (
  table: string,
  key: Readonly<Record<string, string>>,
) => Promise<Record<string, unknown> | undefined>;
