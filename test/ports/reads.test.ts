import { randomBytes } from 'node:crypto';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { servedSites } from '../../adapters/operator/served-sites.ts';
import { documentItems } from '../../adapters/dynamodb/document-client.ts';
import { keptVersion } from '../../adapters/dynamodb/projects/version-row.ts';
import { siteRow, versionRow } from '../../adapters/dynamodb/projects/project-rows.ts';
import type { ReadItem } from '../../adapters/dynamodb/read-rows.ts';
import { signedCalls } from '../../adapters/signed-calls/signed-calls.ts';
import { signedItems, signedObjects } from '../../adapters/signed-calls/signed-services.ts';
import { siteDirectory, thriftySites } from '../../adapters/dynamodb/projects/site-directory.ts';
import { awsEnvironmentSchema } from '../../contract/environment.ts';
import type { ContentStore } from '../../core/ports.ts';
import { aVersion } from '../fixtures/projects/a-project.ts';
import { aSite } from '../fixtures/visits/a-site.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let calls: ReturnType<typeof signedCalls>;
beforeAll(async () => {
  stores = await localStores();
  calls = signedCalls(awsEnvironmentSchema.parse(stores.environment));
});
afterAll(async () => {
  calls.close();
  await stores.close();
});

/** The small client of the gate and of publishing, and that of all other functions. */
const implementations: [
  string,
  () => { readItem: ReadItem; content: (bucket: string) => Pick<ContentStore, 'get' | 'put'> },
][] = [
  ['the SDK', () => ({ readItem: documentItems(stores.client), content: (b) => contentBucket(b) })],
  [
    'signed calls',
    () => ({ readItem: signedItems(calls), content: (b) => signedObjects(calls, b) }),
  ],
];

test('sites of opens come from the cheaper read, and only a missing one is read again', async () => {
  const read = new Array<string>();
  const thrifty = signedItems(calls, { isConsistent: false });
  const sitesOf = (name: string, readItem: ReadItem) =>
    siteDirectory(async (table, key) => {
      read.push(name);
      return readItem(table, key);
    }, tables.sites);
  const host = `${randomBytes(6).toString('hex')}.sites.test`;
  const notYet = sitesOf('not yet there', async () => undefined);
  const [cheap, strong] = [sitesOf('cheap', thrifty), sitesOf('strong', signedItems(calls))];
  await stores.client.send(
    new PutCommand({ TableName: tables.sites, Item: siteRow(aSite({ host })) }),
  );
  expect((await thriftySites(cheap, strong).get(host))?.host).toBe(host);
  expect((await thriftySites(notYet, strong).get(host))?.host).toBe(host);
  expect(await thriftySites(cheap, strong).get('nobody.sites.test')).toBeUndefined();
  expect(read).toEqual(['cheap', 'not yet there', 'strong', 'cheap', 'strong']);
});

test('an operator reads every address that serves something, in pages', async () => {
  const hosts = Array.from({ length: 70 }, (_, index) => `page-${index}.sites.test`);
  const torn = { host: 'torn.sites.test', version: 'not a number' };
  const rows = [
    ...hosts.map((host) => siteRow(aSite({ host }))),
    { host: 'reserved.sites.test' },
    torn,
  ];
  for (const Item of rows) {
    await stores.client.send(new PutCommand({ TableName: tables.sites, Item }));
  }
  const pages: string[][] = [];
  const unreadable: string[] = [];
  for await (const page of servedSites(stores.client, tables.sites)) {
    pages.push(page.sites.map(({ host }) => host));
    unreadable.push(...page.unreadable);
  }
  expect(unreadable).toEqual([torn.host]);
  const found = pages.flat();
  expect(found).toEqual(expect.arrayContaining(hosts));
  expect(found).not.toContain('reserved.sites.test');
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(32);
});

describe.each(implementations)('%s', (_, implementation) => {
  const put = (TableName: string, Item: object) =>
    stores.client.send(new PutCommand({ TableName, Item: Item as Record<string, unknown> }));

  test('reads a serving record unchanged, its manifest byte for byte', async () => {
    const host = `${randomBytes(6).toString('hex')}.sites.test`;
    const site = aSite({ host, title: 'Grüße "aus" 港', manifest: randomBytes(70_000) });
    await put(tables.sites, siteRow(site));
    const found = await siteDirectory(implementation().readItem, tables.sites).get(host);
    expect(Buffer.from(found?.manifest ?? []).equals(Buffer.from(site.manifest ?? []))).toBe(true);
    expect({ ...found, manifest: undefined }).toEqual({ ...site, manifest: undefined });
  });

  test('reads a kept version by both parts of its key', async () => {
    const { projectId, store, manifest: __ } = aSite();
    const manifest = new Uint8Array(randomBytes(20));
    const version = aVersion({ version: 7, store, home: null, manifest });
    await put(tables.projects, versionRow(projectId, version));
    const read = keptVersion(implementation().readItem, tables.projects);
    expect(await read(projectId, 7)).toEqual(version);
    expect(await read(projectId, 8)).toBeUndefined();
  });

  test('reads every attribute type of our rows', async () => {
    const row = {
      host: 'kinds.sites.test',
      text: '',
      whole: 1_792_000_000_000,
      fraction: -0.25,
      yes: true,
      no: false,
      nothing: null,
      bytes: new Uint8Array([0, 255, 128]),
      list: ['a', 2, [null], { b: [] }],
      map: { inner: { deep: 'x' }, 'a.b#c': 1 },
    };
    await put(tables.sites, row);
    const { readItem } = implementation();
    expect(await readItem(tables.sites, { host: 'kinds.sites.test' })).toEqual(row);
  });

  test('returns undefined for a missing row', async () => {
    const { readItem } = implementation();
    expect(await readItem(tables.sites, { host: 'nobody.sites.test' })).toBeUndefined();
  });

  test('throws the error of DynamoDB', async () => {
    const { readItem } = implementation();
    await expect(readItem('no-such-table', { host: 'a' })).rejects.toThrow();
    await expect(readItem(tables.projects, { host: 'a' })).rejects.toThrow();
  });

  describe('an object', () => {
    const bytes = randomBytes(3_000_000);
    const key = 'content/0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11/a1/0123456789abcdef';
    beforeAll(async () => {
      const object = { key, bytes, contentType: 'text/plain', cacheTag: 'p-1' };
      const content = implementation().content(stores.bucket);
      await content.put(object);
      await content.put({ ...object, key: 'empty', bytes: Buffer.alloc(0) });
    });

    test('is stored with its type, its disposition and its tag', async () => {
      const headers = { contentType: 'text/html; charset=utf-8', cacheTag: 'p-1' };
      const contentDisposition = `inline; filename="a  b.html"; filename*=UTF-8''%C3%A4.html`;
      const content = implementation().content(stores.bucket);
      await content.put({ key: 'with space/ü+%2f*()', bytes, ...headers, contentDisposition });
      const stored = await stores.s3.send(
        new HeadObjectCommand({ Bucket: stores.bucket, Key: 'with space/ü+%2f*()' }),
      );
      expect(stored).toMatchObject({
        ContentType: headers.contentType,
        ContentDisposition: contentDisposition,
        ContentLength: bytes.length,
        Metadata: { 'cache-tag': 'p-1' },
      });
      await contentBucket(stores.bucket, stores.s3).deleteKeys(['with space/ü+%2f*()']);
    });

    test('of a bucket that the role may not write to is refused', async () => {
      const object = { key, bytes, contentType: 'text/plain', cacheTag: 'p-1' };
      await expect(implementation().content('another-bucket').put(object)).rejects.toThrow();
    });

    test('is read completely', async () => {
      const content = implementation().content(stores.bucket);
      expect(Buffer.from((await content.get(key)) ?? []).equals(bytes)).toBe(true);
      expect(await content.get('empty')).toHaveLength(0);
    });

    test.each([
      [0, 0],
      [1, 1_000_000],
      [2_999_999, 2_999_999],
    ])('is read from byte %d to %d', async (first, last) => {
      const part = await implementation().content(stores.bucket).get(key, { first, last });
      expect(Buffer.from(part ?? []).equals(bytes.subarray(first, last + 1))).toBe(true);
    });

    test('that does not exist is undefined; a range outside and a foreign bucket are errors', async () => {
      const { content } = implementation();
      expect(await content(stores.bucket).get('content/nothing')).toBeUndefined();
      expect(await content(stores.bucket).get('with space/ü+%2f*()')).toBeUndefined();
      await expect(
        content(stores.bucket).get(key, { first: 3_000_000, last: 3_000_001 }),
      ).rejects.toThrow();
      await expect(content('another-bucket').get(key)).rejects.toThrow();
    });
  });
});

describe('a copy within storage', () => {
  const source = { key: 'content/p-1/a', bytes: Buffer.from('<p>'), contentType: 'text/html' };

  test('has bytes, type and disposition of its source, and a cache tag of its own', async () => {
    const content = contentBucket(stores.bucket, stores.s3);
    await content.put({ ...source, contentDisposition: 'attachment', cacheTag: 'p-1' });
    expect(await content.copy(source.key, { key: 'content/p-2/a', cacheTag: 'p-2' })).toBe(true);
    const at = { Bucket: stores.bucket, Key: 'content/p-2/a' };
    expect(await stores.s3.send(new HeadObjectCommand(at))).toMatchObject({
      ContentType: 'text/html',
      ContentDisposition: 'attachment',
      ContentLength: 3,
      Metadata: { 'cache-tag': 'p-2' },
    });
    await content.deleteKeys([source.key]);
    expect(await content.copy(source.key, { key: 'content/p-3/a', cacheTag: 'p-3' })).toBe(false);
    expect(Buffer.from((await content.get(at.Key)) ?? []).toString()).toBe('<p>');
    expect(await content.get('content/p-3/a')).toBeUndefined();
  });
});

describe('a serving record that is read again', () => {
  const host = `${randomBytes(6).toString('hex')}.sites.test`;
  const put = (change: object) =>
    stores.client.send(
      new PutCommand({ TableName: tables.sites, Item: siteRow({ ...aSite({ host }), ...change }) }),
    );

  test('is the same, and cannot be changed, until its row is another', async () => {
    await put({ title: 'First' });
    const directory = siteDirectory(signedItems(calls), tables.sites);
    const first = await directory.get(host);
    expect(Object.isFrozen(first)).toBe(true);
    expect(await directory.get(host)).toBe(first);
    await put({ title: 'Second' });
    expect(await directory.get(host)).toMatchObject({ host, title: 'Second' });
    await put({ title: 'First', takenDown: true });
    expect(await directory.get(host)).toMatchObject({ title: 'First', takenDown: true });
  });

  test('is missing once its row is', async () => {
    await put({});
    const directory = siteDirectory(signedItems(calls), tables.sites);
    expect(await directory.get(host)).toBeDefined();
    await stores.client.send(new DeleteCommand({ TableName: tables.sites, Key: { host } }));
    expect(await directory.get(host)).toBeUndefined();
  });
});

test('with a shorter range than requested is an error for the gate', async () => {
  const object = { key: 'short', contentType: 'text/plain', cacheTag: 'p-1' };
  await contentBucket(stores.bucket).put({ ...object, bytes: Buffer.from('four') });
  const part = signedObjects(calls, stores.bucket).get('short', { first: 2, last: 9 });
  await expect(part).rejects.toThrow('got 2 bytes for bytes=2-9 of short');
});
