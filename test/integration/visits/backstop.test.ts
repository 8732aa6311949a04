import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';

const cloud = new LocalCloud();
beforeAll(() => cloud.start());
afterAll(() => cloud.remove());

/** Changes a row behind the service's back, as its operator. */
async function change(key: Record<string, string>, expression: string, values: object) {
  const access = JSON.parse(readFileSync(join(cloud.stateDir, 'operator.json'), 'utf8'));
  const { endpoint, accessKeyId, secretAccessKey, tables } = access;
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId, secretAccessKey },
    }),
  );
  await client.send(
    new UpdateCommand({
      TableName: tables.PROJECTS_TABLE,
      Key: key,
      UpdateExpression: expression,
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: values as Record<string, number>,
    }),
  );
  client.destroy();
}

test('TTL and its stream completely remove what the sweep never finds', async () => {
  const { data } = (await publishTo(cloud.baseUrl, [file('a.txt'), file('b.txt')])).json;
  const key = { pk: `PROJECT#${data.projectId}`, sk: 'META' };
  const past = Math.floor((await cloud.now()).getTime() / 1000) - 3600;
  await change(key, 'SET #ttl = :past REMOVE dueShard, dueAt', { ':past': past });
  // The pack of both files.
  expect((await cloud.state()).keys).toHaveLength(1);

  await cloud.maintain();
  for (let tries = 0; tries < 50 && (await cloud.state()).keys.length > 0; tries += 1);
  const { rows, keys } = await cloud.state();
  expect({ keys, projects: rows['projects'], sites: rows['sites'] }).toEqual({
    keys: [],
    projects: [],
    sites: [],
  });
});

test('no stored data contains a claim token', async () => {
  const { data } = (await publishTo(cloud.baseUrl, [file('a.txt')])).json;
  const { rows } = await cloud.state();
  expect(JSON.stringify(rows)).toContain(data.projectId);
  expect(JSON.stringify(rows)).not.toContain(data.claimToken);
});
