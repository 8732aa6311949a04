import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { engineAt } from '../../dynamodb/engine.ts';
import { startEngineProcess } from '../../dynamodb/engine-process.ts';
import { expiryIndex } from '../../dynamodb/expiry-index.ts';
import { createTable, parseTable } from '../../dynamodb/tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aLocalDynamoDb, tableResource } from './a-local-dynamodb.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const everything = [{ actions: ['*'], resources: ['*'] }];
const inSeconds = (seconds: number) => ({ N: String(Math.floor(Date.now() / 1000) + seconds) });
const row = (pk: string, seconds?: number) => ({
  pk: { S: pk },
  ...(seconds !== undefined && { ttl: inSeconds(seconds) }),
});
const TableName = 'items';
const put = (pk: string, seconds?: number) =>
  new PutItemCommand({ TableName, Item: row(pk, seconds) });
const setTtl = (pk: string, seconds: number) => ({
  TableName,
  Key: row(pk),
  UpdateExpression: 'SET #ttl = :ttl',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':ttl': inSeconds(seconds) },
});

async function startedDynamoDb() {
  const one = await aLocalDynamoDb(everything, {});
  ends.push(() => one.close());
  const namesLeft = async () =>
    ((await one.local.rows())[TableName] ?? []).map(({ pk }) => JSON.stringify(pk)).toSorted();
  return { ...one, namesLeft };
}

describe('after the first sweep', () => {
  test.each<[string, (client: DynamoDBClient) => Promise<unknown>]>([
    ['a put', (client) => client.send(put('gone', 60))],
    ['an update', (client) => client.send(new UpdateItemCommand(setTtl('gone', 60)))],
    [
      'a batch',
      (client) =>
        client.send(
          new BatchWriteItemCommand({
            RequestItems: { [TableName]: [{ PutRequest: { Item: row('gone', 60) } }] },
          }),
        ),
    ],
    [
      'a put in a transaction',
      (client) =>
        client.send(
          new TransactWriteItemsCommand({
            TransactItems: [{ Put: { TableName, Item: row('gone', 60) } }],
          }),
        ),
    ],
    [
      'an update in a transaction',
      (client) =>
        client.send(
          new TransactWriteItemsCommand({ TransactItems: [{ Update: setTtl('gone', 60) }] }),
        ),
    ],
  ])('a row that %s made expires', async (_, write) => {
    const { client, local, clock, namesLeft } = await startedDynamoDb();
    await client.send(put('kept'));
    expect(await local.sweep()).toBe(false);
    await write(client);
    expect(await local.sweep()).toBe(false);
    clock.advance(90_000);
    expect(await local.sweep()).toBe(true);
    expect(await namesLeft()).toEqual(['{"S":"kept"}']);
    expect(await local.sweep()).toBe(false);
  });

  test('a row that got another time, none, or was made anew expires then', async () => {
    const { client, local, clock, namesLeft } = await startedDynamoDb();
    for (const name of ['later', 'never', 'anew']) await client.send(put(name, 60));
    expect(await local.sweep()).toBe(false);
    await client.send(new UpdateItemCommand(setTtl('later', 600)));
    await client.send(put('never'));
    await client.send(new DeleteItemCommand({ TableName, Key: row('anew') }));
    expect(await local.sweep()).toBe(false);
    await client.send(put('anew', 600));
    clock.advance(90_000);
    expect(await local.sweep()).toBe(false);
    clock.advance(600_000);
    expect(await local.sweep()).toBe(true);
    expect(await namesLeft()).toEqual(['{"S":"never"}']);
  });
});

test('a table is scanned once; then only rows that were written are read', async () => {
  const stateDir = temporaryFolder('expiries');
  const process = await startEngineProcess(stateDir);
  ends.push(() => process.close());
  const engine = engineAt(process.url);
  const calls: string[] = [];
  const counting: typeof engine = {
    ...engine,
    call(target, input, schema) {
      calls.push(target.split('.').at(-1) ?? '');
      return engine.call(target, input, schema);
    },
  };
  const table = parseTable(tableResource, TableName);
  await createTable(engine, table);
  const index = expiryIndex(counting, table, 'ttl');
  for (let time = 0; time < 3; time += 1) expect(await index.between(0, 1e12)).toEqual([]);
  expect(calls).toEqual(['Scan']);
  for (let number = 0; number < 150; number += 1) index.add({ pk: { S: `row-${number}` } });
  expect(await index.between(0, 1e12)).toEqual([]);
  expect(await index.between(0, 1e12)).toEqual([]);
  expect(calls).toEqual(['Scan', 'BatchGetItem', 'BatchGetItem']);
});
