import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import {
  BatchGetItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parseStreamSource } from '../../dynamodb/stream-source.ts';
import { aLocalDynamoDb, type Grant, tableArn, tableResource } from './a-local-dynamodb.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Running = Awaited<ReturnType<typeof aLocalDynamoDb>>;

const running: Running[] = [];

async function start(grants: Grant[], options = {}): Promise<Running> {
  const one = await aLocalDynamoDb(grants, options);
  running.push(one);
  return one;
}

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

const everything = [{ actions: ['*'], resources: ['*'] }];
const key = { pk: { S: 'a' } };

async function nameOf(outcome: Promise<unknown>): Promise<string> {
  return outcome.then(
    () => 'allowed',
    (error: Error) => error.name,
  );
}

describe('permissions', () => {
  test('a role may do only what it was granted', async () => {
    const { client, calls } = await start([{ actions: ['PutItem', 'GetItem'] }]);
    await client.send(new PutItemCommand({ TableName: 'items', Item: { ...key, n: { N: '1' } } }));
    const { Item } = await client.send(new GetItemCommand({ TableName: 'items', Key: key }));
    expect(Item).toEqual({ pk: { S: 'a' }, n: { N: '1' } });
    await expect(
      client.send(new DeleteItemCommand({ TableName: 'items', Key: key })),
    ).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(
        'assumed-role/Role/fn is not authorized to perform: dynamodb:DeleteItem',
      ),
    });
    expect(calls).toEqual(['PutItem items', 'GetItem items']);
  });

  test('every request tells the capacity units that it used, and functions see no difference', async () => {
    const { client, capacity } = await start(everything);
    const Item = { ...key, text: { S: 'x'.repeat(1500) } };
    await client.send(new PutItemCommand({ TableName: 'items', Item }));
    await client.send(new GetItemCommand({ TableName: 'items', Key: key }));
    await client.send(new GetItemCommand({ TableName: 'items', Key: key, ConsistentRead: true }));
    const TransactItems = [{ Put: { TableName: 'items', Item: key } }];
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    expect(capacity).toEqual([
      { kind: 'write', units: 2 },
      { kind: 'read', units: 0.5 },
      { kind: 'read', units: 1 },
      // It replaces a row of two units.
      { kind: 'write', units: 4 },
    ]);
  });

  test('a query of an index needs a permission for the index', async () => {
    const query = new QueryCommand({
      TableName: 'items',
      IndexName: 'byShard',
      KeyConditionExpression: '#s = :s',
      ExpressionAttributeNames: { '#s': 'shard' },
      ExpressionAttributeValues: { ':s': { S: 'x' } },
    });
    const table = await start([{ actions: ['Query'] }]);
    expect(await nameOf(table.client.send(query))).toBe('AccessDeniedException');
    const index = await start([{ actions: ['Query'], resources: [`${tableArn}/index/byShard`] }]);
    expect(await nameOf(index.client.send(query))).toBe('allowed');
  });

  test('every part of a transaction needs its own action', async () => {
    const transaction = new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName: 'items', Item: key } },
        {
          ConditionCheck: {
            TableName: 'items',
            Key: { pk: { S: 'b' } },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      ],
    });
    const half = await start([{ actions: ['PutItem'] }]);
    expect(await nameOf(half.client.send(transaction))).toBe('AccessDeniedException');
    const whole = await start([{ actions: ['PutItem', 'ConditionCheckItem'] }]);
    expect(await nameOf(whole.client.send(transaction))).toBe('allowed');
    expect(whole.written).toEqual([['items']]);
  });

  test('a batch read is a separate action', async () => {
    const batch = new BatchGetItemCommand({ RequestItems: { items: { Keys: [key] } } });
    const { client } = await start([{ actions: ['GetItem'] }]);
    expect(await nameOf(client.send(batch))).toBe('AccessDeniedException');
  });

  test('no function may create tables', async () => {
    const { client } = await start(everything);
    const create = new CreateTableCommand({
      TableName: 'other',
      KeySchema: [],
      AttributeDefinitions: [],
    });
    expect(await nameOf(client.send(create))).toBe('UnknownOperationException');
  });

  test('an unknown access key is refused', async () => {
    const { local } = await start(everything);
    const stranger = new DynamoDBClient({
      endpoint: local.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIASTRANGER', secretAccessKey: 'x' },
    });
    const get = new GetItemCommand({ TableName: 'items', Key: key });
    expect(await nameOf(stranger.send(get))).toBe('UnrecognizedClientException');
    stranger.destroy();
  });
});

describe('time to live', () => {
  const seconds = () => Math.floor(Date.now() / 1000);

  test('deletes rows that have expired by the cloud clock, and writes stream records', async () => {
    const { client, local, clock } = await start(everything);
    const put = (pk: string, ttl?: object) =>
      client.send(
        new PutItemCommand({
          TableName: 'items',
          Item: { pk: { S: pk }, ...(ttl && { ttl }) } as never,
        }),
      );
    await put('soon', { N: String(seconds() + 60) });
    await put('later', { N: String(seconds() + 600) });
    await put('never');
    await put('text', { S: '1' });
    await put('ancient', { N: '1' });
    expect(await local.sweep()).toBe(false);
    clock.advance(90_000);
    expect(await local.sweep()).toBe(true);
    await client.send(new DeleteItemCommand({ TableName: 'items', Key: { pk: { S: 'never' } } }));
    const left = (await local.rows())['items']?.map(({ pk }) => pk);
    expect(left).toEqual(expect.arrayContaining([{ S: 'later' }, { S: 'text' }, { S: 'ancient' }]));
    expect(left).toHaveLength(3);

    const reader = await local.streamReader(mapping());
    const records = (await reader.read()).filter(({ eventName }) => eventName === 'REMOVE');
    expect(records).toMatchObject([
      {
        userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
        awsRegion: 'us-east-1',
        eventSourceARN: `${tableArn}/stream/x`,
        dynamodb: { OldImage: { pk: { S: 'soon' } } },
      },
      { dynamodb: { Keys: { pk: { S: 'never' } } } },
    ]);
    expect(records[1]).not.toHaveProperty('userIdentity');
  });

  test('remembers deleted rows after a restart', async () => {
    const first = await start(everything);
    const Item = { ...key, ttl: { N: String(seconds() - 60) } };
    await first.client.send(new PutItemCommand({ TableName: 'items', Item }));
    await first.local.sweep();
    await first.close();
    running.pop();
    const second = await start(everything, { stateDir: first.stateDir });
    const reader = await second.local.streamReader(mapping());
    const records = await reader.read();
    expect(records.map(({ eventName, userIdentity }) => [eventName, userIdentity?.type])).toEqual([
      ['INSERT', undefined],
      ['REMOVE', 'Service'],
    ]);
    reader.commit(records);
    await second.client.send(new PutItemCommand({ TableName: 'items', Item: key }));
    await second.client.send(new DeleteItemCommand({ TableName: 'items', Key: key }));
    const again = await (await second.local.streamReader(mapping())).read();
    expect(again.map(({ eventName, userIdentity }) => [eventName, userIdentity?.type])).toEqual([
      ['INSERT', undefined],
      ['REMOVE', undefined],
    ]);
  });
});

function mapping() {
  return parseStreamSource({
    stack: 'Stack',
    logicalId: 'Mapping',
    type: 'AWS::Lambda::EventSourceMapping',
    properties: {
      EventSourceArn: `${tableArn}/stream/x`,
      FunctionName: 'fn',
      StartingPosition: 'TRIM_HORIZON',
    },
  });
}

describe('the engine', () => {
  test('keeps its rows after a restart', async () => {
    const first = await start(everything);
    await first.client.send(new PutItemCommand({ TableName: 'items', Item: key }));
    await first.close();
    running.pop();
    expect(existsSync(join(first.stateDir, 'dynamodb', 'engine.pid'))).toBe(false);
    const second = await start(everything, { stateDir: first.stateDir });
    expect(await second.local.rows()).toEqual({ items: [key] });
  });

  test('of a killed cloud is ended by the next start', async () => {
    const killed = await start(everything);
    await killed.client.send(new PutItemCommand({ TableName: 'items', Item: key }));
    const pid = Number(readFileSync(join(killed.stateDir, 'dynamodb', 'engine.pid'), 'utf8'));
    const next = await start(everything, { stateDir: killed.stateDir });
    expect(isRunning(pid)).toBe(false);
    expect(await next.local.rows()).toEqual({ items: [key] });
  });

  test('does not end a process that only reuses the pid of the old engine', async () => {
    const stateDir = temporaryFolder('dynamodb');
    const innocent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
    });
    mkdirSync(join(stateDir, 'dynamodb'));
    writeFileSync(join(stateDir, 'dynamodb', 'engine.pid'), String(innocent.pid));
    await start(everything, { stateDir });
    expect(innocent.exitCode).toBeNull();
    expect(innocent.signalCode).toBeNull();
    innocent.kill();
  });

  test('refuses a table whose keys have changed since the last start', async () => {
    const first = await start(everything);
    await first.close();
    running.pop();
    const properties = { ...tableResource.properties, GlobalSecondaryIndexes: [] };
    await expect(
      aLocalDynamoDb(everything, {
        stateDir: first.stateDir,
        table: { ...tableResource, properties },
      }),
    ).rejects.toThrow(/Table items has other keys.*--fresh/);
  });
});

/** A process that was killed but not yet collected by its parent does not run. */
function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
}
