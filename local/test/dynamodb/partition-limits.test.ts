import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { AWS_PARTITION_LIMITS, partitionMeter } from '../../dynamodb/partition-limits.ts';
import { type PartitionUse, partitionUses } from '../../dynamodb/partition-use.ts';
import { parseTable } from '../../dynamodb/tables.ts';
import { aLocalDynamoDb, tableResource } from './a-local-dynamodb.ts';

const read = (partition: string): PartitionUse => ({
  partition,
  index: 0,
  kind: 'read',
  units: 1,
  weight: 1,
});
const write = (partition: string, units: number): PartitionUse => ({
  partition,
  index: 0,
  kind: 'write',
  units,
  weight: 1,
});

describe('the meter', () => {
  let now = 0;
  const meter = () => partitionMeter(AWS_PARTITION_LIMITS, () => now);

  test('gives each partition key 1,000 write units and 3,000 read units a second', () => {
    const one = meter();
    expect(one.admit([write('a', 1000)])).toBeUndefined();
    expect(one.admit([write('a', 1)])).toEqual(write('a', 1));
    expect(one.admit([write('b', 1)])).toBeUndefined();
    expect(one.admit([read('a')])).toBeUndefined();
    one.addReads([read('a')], 3000 * 4096);
    expect(one.admit([read('a')])).toEqual(read('a'));
    expect(one.admit([read('b')])).toBeUndefined();
    now += 1000;
    expect(one.admit([write('a', 1), read('a')])).toBeUndefined();
  });

  test('counts nothing of a request that it refuses', () => {
    const one = meter();
    one.admit([write('a', 1000)]);
    one.admit([write('b', 600), write('a', 1)]);
    expect(one.admit([write('b', 600)])).toBeUndefined();
  });
});

test('a request costs the partition keys that it names', () => {
  const tables = [parseTable(tableResource, 'items')];
  const uses = (operation: string, body: object) =>
    partitionUses(tables, operation, { TableName: 'items', ...body }).map(
      ({ partition, kind, units, weight }) => [partition, kind, units, weight],
    );
  const [Key, pk] = [{ pk: { S: 'a' } }, '{"S":"a"}'];
  expect(uses('GetItem', { Key, ConsistentRead: true })).toEqual([[`items//${pk}`, 'read', 1, 1]]);
  expect(uses('GetItem', { Key })).toEqual([[`items//${pk}`, 'read', 0.5, 0.5]]);
  expect(uses('PutItem', { Item: { ...Key, text: { S: 'x'.repeat(1024) } } })).toEqual([
    [`items//${pk}`, 'write', 2, 1],
  ]);
  const query = {
    KeyConditionExpression: '#k = :k',
    ExpressionAttributeNames: { '#k': 'shard' },
    ExpressionAttributeValues: { ':k': { S: 'a' } },
    IndexName: 'byShard',
  };
  expect(uses('Query', query)).toEqual([[`items/byShard/${pk}`, 'read', 0.5, 0.5]]);
  const part = { TableName: 'items', Key };
  expect(uses('TransactWriteItems', { TransactItems: [{ Delete: part }] })).toEqual([
    [`items//${pk}`, 'write', 2, 2],
  ]);
  expect(uses('Scan', {})).toEqual([]);
});

describe('a hot partition', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  const key = { pk: { S: 'hot' } };
  const put = (pk: string) => new PutItemCommand({ TableName: 'items', Item: { pk: { S: pk } } });
  const codes = (client: DynamoDBClient, commands: any[]) =>
    Promise.all(
      commands.map((command) =>
        client.send(command).then(
          () => 'done',
          (error: Error & { CancellationReasons?: { Code?: string }[] }) =>
            [error.name, ...(error.CancellationReasons ?? []).map(({ Code }) => Code)].join(' '),
        ),
      ),
    );

  test('throttles reads, writes and transactions as DynamoDB does', async () => {
    const local = await aLocalDynamoDb([{ actions: ['*'], resources: ['*'] }], {
      partitionLimits: { writes: 2, reads: 1 },
    });
    ends.push(local.close);
    const writes = await codes(
      local.client,
      Array.from({ length: 30 }, () => put('hot')),
    );
    expect(new Set(writes)).toEqual(new Set(['done', 'ThrottlingException']));
    const get = () => new GetItemCommand({ TableName: 'items', Key: key, ConsistentRead: true });
    const reads = await codes(
      local.client,
      Array.from({ length: 30 }, () => get()),
    );
    expect(new Set(reads)).toEqual(new Set(['done', 'ProvisionedThroughputExceededException']));
    const transaction = () =>
      new TransactWriteItemsCommand({
        TransactItems: [
          { Put: { TableName: 'items', Item: { pk: { S: 'cold' } } } },
          { Put: { TableName: 'items', Item: key } },
        ],
      });
    const all = Array.from({ length: 30 }, () => transaction());
    const [refused] = (await codes(local.client, all)).filter((code) => code !== 'done');
    expect(refused).toMatch(
      /^TransactionCanceledException (ThrottlingError None|None ThrottlingError)$/,
    );
    const query = new QueryCommand({
      TableName: 'items',
      KeyConditionExpression: 'pk = :k',
      ExpressionAttributeValues: { ':k': { S: 'another' } },
    });
    expect(await codes(local.client, [query, put('another')])).toEqual(['done', 'done']);
  });
});
