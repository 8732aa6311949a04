import { randomUUID } from 'node:crypto';
import { GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountAdmin } from '../../adapters/dynamodb/accounts/account-admin.ts';
import { accountKey } from '../../adapters/dynamodb/accounts/account-rows.ts';
import { AccountId } from '../../contract/fields.ts';
import { aLocalDynamoDb, tableResource } from '../../local/test/dynamodb/a-local-dynamodb.ts';

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });

const table = {
  ...tableResource,
  properties: {
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [text('pk'), text('sk')],
  },
};

let dynamo: Awaited<ReturnType<typeof aLocalDynamoDb>>;
beforeAll(async () => {
  dynamo = await aLocalDynamoDb([{ actions: ['*'] }], { table });
});
afterAll(() => dynamo.close());

const admin = () => accountAdmin(DynamoDBDocumentClient.from(dynamo.client), 'items');
const anId = () => AccountId.parse(randomUUID());

test('changes only the plan of an account', async () => {
  const { pk, sk } = accountKey(anId());
  const Key = { pk: { S: pk }, sk: { S: sk } };
  const Item = { ...Key, tier: { S: 'free' }, email: { S: 'ann@example.org' } };
  await dynamo.client.send(new PutItemCommand({ TableName: 'items', Item }));
  await admin().setTier(AccountId.parse(pk.replace('ACCOUNT#', '')), 'scale', false);
  const { Item: stored } = await dynamo.client.send(
    new GetItemCommand({ TableName: 'items', Key }),
  );
  expect(stored).toEqual({ ...Item, tier: { S: 'scale' } });
  await admin().setTier(AccountId.parse(pk.replace('ACCOUNT#', '')), 'free', true);
  const { Item: ended } = await dynamo.client.send(new GetItemCommand({ TableName: 'items', Key }));
  expect(ended).toEqual({ ...Item, trialEndsAt: { NULL: true } });
});

test('creates no row for a deleted account', async () => {
  const count = async () =>
    (await dynamo.client.send(new ScanCommand({ TableName: 'items' }))).Count;
  const before = await count();
  const id = anId();
  await expect(admin().setTier(id, 'pro', true)).rejects.toThrow(`Account ${id} does not exist.`);
  expect(await count()).toBe(before);
});
