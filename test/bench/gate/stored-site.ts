import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { operatorClient } from '../../../adapters/operator/operator-client.ts';
import { readOperatorAccess } from '../../../local/operator/operator.ts';
import { signIn } from '../../fixtures/accounts/accounts.ts';
import { file, publishTo } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { claim } from '../../load/sites.ts';

/** The files of the site: a page of 12 kB and a script of 150 kB that compresses as scripts do. */
export function siteFiles(): Record<'index.html' | 'app.js', string> {
  const sentence = (at: number) =>
    `<p>Paragraph ${at} of a page whose words repeat less than one would think: ${(at * 7919) % 1009}.</p>\n`;
  const statement = (at: number) =>
    `export function step${at}(value) { return value * ${(at * 7919) % 10_007} + ${at}; }\n`;
  const repeated = (make: (at: number) => string, bytes: number) => {
    let text = '';
    for (let at = 0; text.length < bytes; at += 1) text += make(at);
    return text;
  };
  return {
    'index.html': `<!doctype html><html lang="en"><title>Bench</title><script src="app.js"></script>\n${repeated(sentence, 12_000)}`,
    'app.js': repeated(statement, 150_000),
  };
}

/** What AWS has of the site: its row, as DynamoDB answers it, and its objects as base64. */
export interface StoredSite {
  host: string;
  item: Record<string, unknown>;
  objects: Record<string, string>;
}

const Access = z.looseObject({ content: z.object({ endpoint: z.url(), bucket: z.string() }) });

/** Publishes the site in a local cloud, and reads what it stored. */
export async function storedSite(): Promise<StoredSite> {
  const cloud = new LocalCloud();
  try {
    await cloud.start();
    const apiKey = await signIn(undefined, cloud.baseUrl);
    const files = Object.entries(siteFiles()).map(([name, text]) => file(name, text));
    const published = await publishTo(cloud.baseUrl, files);
    const { url, claimToken } = published.json.data;
    await claim(cloud.baseUrl, apiKey, claimToken);
    const { host } = new URL(url);
    return { host, item: await readRow(cloud.stateDir, host), objects: await readObjects(cloud) };
  } finally {
    await cloud.remove();
  }
}

function accessTo(stateDir: string) {
  const access = readOperatorAccess(stateDir);
  if (access === undefined) throw new Error('the local cloud is not running');
  return access;
}

async function readRow(stateDir: string, host: string): Promise<Record<string, unknown>> {
  const { endpoint: url, tables, accessKeyId, secretAccessKey } = accessTo(stateDir);
  const endpoint = { url, accessKeyId, secretAccessKey };
  const client = operatorClient({ region: 'us-east-1', endpoint });
  const name = host.split(':')[0] ?? host;
  const get = new GetItemCommand({ TableName: tables['SITES_TABLE'], Key: { host: { S: name } } });
  const { Item } = await client.send(get);
  client.destroy();
  if (Item === undefined) throw new Error(`no row of ${name}`);
  return onTheWire(Item);
}

/** DynamoDB sends bytes as base64. */
function onTheWire(item: Record<string, AttributeValue>): Record<string, unknown> {
  const values = Object.entries(item).map(([name, value]) =>
    value.B === undefined ? [name, value] : [name, { B: Buffer.from(value.B).toString('base64') }],
  );
  return Object.fromEntries(values);
}

async function readObjects({ stateDir }: LocalCloud): Promise<Record<string, string>> {
  const { accessKeyId, secretAccessKey } = accessTo(stateDir);
  const text = readFileSync(path.join(stateDir, 'operator.json'), 'utf8');
  const { endpoint, bucket: Bucket } = Access.parse(JSON.parse(text)).content;
  const credentials = { accessKeyId, secretAccessKey };
  const storage = new S3Client({
    region: 'us-east-1',
    endpoint,
    forcePathStyle: true,
    credentials,
  });
  const { Contents = [] } = await storage.send(new ListObjectsV2Command({ Bucket }));
  const objects: Record<string, string> = {};
  for (const { Key = '' } of Contents) {
    const { Body } = await storage.send(new GetObjectCommand({ Bucket, Key }));
    objects[Key] = (await Body?.transformToString('base64')) ?? '';
  }
  storage.destroy();
  return objects;
}
