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

/** Reads and parses one row, strongly consistent; undefined if it does not exist. */
export async function findRow<T>(
  client: DynamoDBDocumentClient,
  TableName: string,
  Key: Record<string, unknown>,
  parse: (row: Record<string, unknown>) => T,
): Promise<T | undefined> {
  const row = await readRow(client, TableName, Key);
  return row && parse(row);
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

/** Some rows of one partition. */
export interface PartitionQuery {
  pk: string;
  /** What their sort keys begin with. */
  prefix?: string;
  /** The first and the last sort key, both included. */
  between?: readonly [from: string, to: string];
  isNewestFirst?: boolean;
  /** The attributes that are returned, with commas; default: all. */
  only?: string | undefined;
}

/** The query of some rows of one partition, in the order of their sort keys, strongly consistent. */
export function partitionQuery(
  TableName: string,
  { pk, prefix, between, isNewestFirst = false, only }: PartitionQuery,
) {
  const [from, to] = between ?? [];
  const sortKeys =
    from === undefined ? ' AND begins_with(sk, :prefix)' : ' AND sk BETWEEN :from AND :to';
  const hasSortKeys = prefix !== undefined || from !== undefined;
  return {
    TableName,
    KeyConditionExpression: `pk = :pk${hasSortKeys ? sortKeys : ''}`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix, ':from': from, ':to': to },
    ProjectionExpression: only,
    ScanIndexForward: !isNewestFirst,
    ConsistentRead: true,
  };
}

/** The rows that a {@link partitionQuery} finds: all of them, or the first `limit`. */
export function partitionRows(
  client: DynamoDBDocumentClient,
  TableName: string,
  query: PartitionQuery,
  limit?: number,
): Promise<Record<string, unknown>[]> {
  return queryRows(client, partitionQuery(TableName, query), limit);
}

/** Reads one row by its full key, strongly consistent; `undefined` if it does not exist. */
export type ReadItem = (
  table: string,
  key: Readonly<Record<string, string>>,
) => Promise<Record<string, unknown> | undefined>;
