import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { operatorClient, operatorStorage } from '../../../adapters/operator/operator-client.ts';
import { contentBucket } from '../../../adapters/s3/content-bucket.ts';
import { readOperatorAccess } from '../../../local/operator/operator.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { anEmail, get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created, remove, temporary } from '../../fixtures/projects/projects.ts';
import { pushed } from '../../fixtures/projects/versions.ts';

const cloud = new LocalCloud('trialDays=0');
let client: S3Client;
let bucket: string;
let database: DynamoDBDocumentClient;
let tables: Record<string, string>;
beforeAll(async () => {
  await cloud.start();
  const access = readOperatorAccess(cloud.stateDir);
  if (access === undefined) throw new Error('no operator access');
  bucket = access.content.bucket;
  const endpoint = { url: access.content.endpoint, ...access };
  client = operatorStorage({ region: 'us-east-1', endpoint });
  tables = access.tables;
  const tablesEndpoint = { url: access.endpoint, ...access };
  database = operatorClient({ region: 'us-east-1', endpoint: tablesEndpoint });
});
afterAll(async () => {
  client.destroy();
  database.destroy();
  await cloud.remove();
});

const admin = (...args: string[]) => adminCommand(...args, '--state-dir', cloud.stateDir);
const day = 24 * 3600;
const files = [
  file('index.html', '<h1>Mine</h1><link rel=stylesheet href=style.css>'),
  file('style.css', 'body{}'),
];

async function aProject(): Promise<{ key: string; projectId: string; url: string }> {
  const key = await signIn(anEmail(), cloud.baseUrl);
  const { projectId, url } = await created(key, { files, service: cloud.baseUrl });
  return { key, projectId, url };
}

const read = async (url: string) =>
  Promise.all(['/', '/style.css'].map(async (path) => (await ask(url + path)).status));

/** The versions and markers that the bucket has of a project. */
async function versionsOf(projectId: string): Promise<number> {
  const listed = await client.send(
    new ListObjectVersionsCommand({ Bucket: bucket, Prefix: `content/${projectId}/` }),
  );
  return (listed.Versions?.length ?? 0) + (listed.DeleteMarkers?.length ?? 0);
}

/** What a mistyped command of an operator does: the rows stay and the bytes are gone. */
async function loseFiles(projectId: string): Promise<void> {
  await contentBucket(bucket, client).deletePrefix(`content/${projectId}/`);
}

describe('restore-files', () => {
  test('brings back files that were deleted, as they were at that time', async () => {
    const { projectId, url } = await aProject();
    const at = (await cloud.now()).toISOString();
    await cloud.advance(60);
    await loseFiles(projectId);
    expect(await read(url)).not.toEqual([200, 200]);
    expect(await admin('restore-files', projectId, '--at', at)).toEqual({
      code: 0,
      stderr: '',
      stdout: 'Objects that were restored: 1.\n',
    });
    expect(await read(url)).toEqual([200, 200]);
    expect((await ask(`${url}/style.css`)).text).toBe('body{}');
    expect((await admin('restore-files', projectId, '--at', at)).stdout).toContain('restored: 0.');
  });

  test('does not bring back files of versions that were dropped: nothing would delete them', async () => {
    const email = anEmail();
    const key = await signIn(email, cloud.baseUrl);
    const { projectId, url } = await created(key, { files, service: cloud.baseUrl });
    await admin('set-plan', email, 'starter');
    const at = (await cloud.now()).toISOString();
    await cloud.advance(60);
    for (let version = 2; version <= 8; version += 1) {
      const page = file('index.html', `<h1>${version}</h1>`);
      await pushed(key, projectId, [page], { service: cloud.baseUrl });
    }
    await cloud.advance(120);
    const visible = await versionsOf(projectId);
    const shown = await admin('restore-files', projectId, '--at', at);
    expect(shown.stdout).toBe('Objects that were restored: 0.\n');
    expect(await versionsOf(projectId)).toBe(visible);
    expect((await ask(url)).text).toContain('<h1>8</h1>');
  });

  test('does not bring back files of a project without rows, nor of no project', async () => {
    const { projectId } = await temporary(files, cloud.baseUrl);
    const at = (await cloud.now()).toISOString();
    await cloud.advance(3 * day);
    expect(await admin('restore-files', projectId, '--at', at)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('restore the rows first'),
    });
  });
});

describe('deletion', () => {
  test('is final a week after the removal: 37 days after the owner deleted it', async () => {
    const { key, projectId } = await aProject();
    const written = await versionsOf(projectId);
    await remove(key, projectId, cloud.baseUrl);
    await cloud.advance(29 * day);
    expect(await versionsOf(projectId)).toBe(written);
    await cloud.advance(2 * day);
    // The files are deleted, and a marker is on each of them.
    expect(await versionsOf(projectId)).toBe(2 * written);
    await cloud.advance(8 * day);
    await cloud.advance(day);
    expect(await versionsOf(projectId)).toBe(0);
  });
});

describe('purge-files', () => {
  test('leaves nothing that could be restored, once nobody can see the project', async () => {
    const { projectId, key } = await aProject();
    const at = (await cloud.now()).toISOString();
    await cloud.advance(60);
    expect(await admin('purge-files', projectId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Take it down first'),
    });
    await loseFiles(projectId);
    await admin('takedown', projectId, '--reason', 'It must go.');
    expect((await admin('purge-files', projectId)).stdout).toMatch(/^[1-9]\d* versions/);
    expect(await versionsOf(projectId)).toBe(0);
    expect((await admin('restore-files', projectId, '--at', at)).stdout).not.toMatch(/[1-9] files/);
    // Its rows would name files that nobody has: it cannot be shown again, and goes.
    expect(await admin('release', projectId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no project ${projectId}`),
    });
    await cloud.advance(120);
    expect(
      (await sendWith(key, `${cloud.baseUrl}/v1/projects/${projectId}`, undefined, 'GET')).status,
    ).toBe(404);
    const rows = Object.values((await cloud.state()).rows).flat();
    expect(rows.filter((row) => row['pk']?.S === `PROJECT#${projectId}`)).toEqual([]);
  });

  test('reaches what a deleted project left, at once', async () => {
    const { projectId } = await temporary(files, cloud.baseUrl);
    await cloud.advance(3 * day);
    expect(await versionsOf(projectId)).toBeGreaterThan(0);
    expect(await admin('purge-files', projectId)).toMatchObject({ code: 0 });
    expect(await versionsOf(projectId)).toBe(0);
  });
});

type Row = Record<string, any>;

async function rowsOf(TableName: string, name: string, value: string): Promise<Row[]> {
  const { Items = [] } = await database.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: '#key = :value',
      ExpressionAttributeNames: { '#key': name },
      ExpressionAttributeValues: { ':value': value },
      ConsistentRead: true,
    }),
  );
  return Items;
}

/** Step 3 of "Rows to restore" in the runbook: never over a row that is there. */
async function putBack(TableName: string, key: string, rows: readonly Row[]): Promise<void> {
  for (const Item of rows) {
    const ConditionExpression = `attribute_not_exists(${key})`;
    await database.send(new PutCommand({ TableName, Item, ConditionExpression }));
  }
}

// Point-in-time recovery itself is AWS's: the rows that are read first stand for those of the restored tables.
test('rows that were lost are put back: the site answers, its versions and quota are as before', async () => {
  const service = cloud.baseUrl;
  const email = anEmail();
  const key = await signIn(email, service);
  const { projectId, url } = await created(key, { files: [file('index.html', 'one')], service });
  await admin('set-plan', email, 'starter');
  await pushed(key, projectId, [file('index.html', 'two')], { service });
  const shown = async () => ({
    site: (await ask(url)).text.includes('two'),
    versions: (await get(`/v1/projects/${projectId}/status`, key, service)).json?.data?.length,
    used: (await get('/v1/user', key, service)).json.data.quota.projects.used,
  });
  const before = await shown();
  expect(before).toEqual({ site: true, versions: 2, used: 1 });

  const { PROJECTS_TABLE: projects = '', SITES_TABLE: sites = '' } = tables;
  const rows = await rowsOf(projects, 'pk', `PROJECT#${projectId}`);
  const host = new URL(url).hostname;
  const site = await rowsOf(sites, 'host', host);
  expect([rows.length >= 3, site.length]).toEqual([true, 1]);
  for (const { pk, sk } of rows) {
    await database.send(new DeleteCommand({ TableName: projects, Key: { pk, sk } }));
  }
  await database.send(new DeleteCommand({ TableName: sites, Key: { host } }));
  expect(await shown()).toMatchObject({ site: false, used: 1 });

  await putBack(projects, 'pk', rows);
  await putBack(sites, 'host', site);
  expect(await shown()).toEqual(before);
  // A second try changes nothing.
  await expect(putBack(sites, 'host', site)).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
  });
  // The sweep removes nothing of it, and its owner goes on.
  await cloud.advance(3600);
  await pushed(key, projectId, [file('index.html', 'three')], { service });
  expect((await ask(url)).text).toContain('three');
});
