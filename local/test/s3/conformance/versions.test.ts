import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { client, get, key, list, put, refusal, s3 } from './suite.ts';

// On real S3 this file needs a second bucket, one with versions.
const isAvailable =
  process.env.S3_SUITE_BUCKET === undefined || process.env.S3_SUITE_VERSIONED_BUCKET !== undefined;
const describeVersions = isAvailable ? describe : describe.skip;

let Bucket: string;
beforeEach(() => {
  Bucket = s3.versionedBucket ?? '';
});

const write = async (name: string, Body = 'hello') =>
  (await put(name, { Bucket, Body })).VersionId ?? '';
/** Deletes a key, or for ever a version of it. */
async function remove(name: string, VersionId?: string) {
  const Delete = { Objects: [{ Key: key(name), VersionId }] };
  const { Deleted = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
  const [{ DeleteMarker, DeleteMarkerVersionId } = {}] = Deleted;
  return { DeleteMarker, VersionId: DeleteMarkerVersionId ?? VersionId };
}
const text = async (name: string) => (await get(name, { Bucket })).bytes.toString();
const copy = (name: string, versionId: string) =>
  client.send(
    new CopyObjectCommand({
      Bucket,
      Key: key(name),
      CopySource: `${Bucket}/${encodeURIComponent(key(name))}?versionId=${versionId}`,
    }),
  );
const versions = (input: Partial<ListObjectVersionsCommandInput>) =>
  client.send(new ListObjectVersionsCommand({ Bucket, ...input }));

/** Versions and markers of a key as `id latest?`, newest first. */
async function listed(name: string) {
  const { Versions = [], DeleteMarkers = [] } = await versions({ Prefix: key(name) });
  const line = (kind: string, { VersionId = '', IsLatest = false }) =>
    `${kind} ${VersionId}${IsLatest ? ' latest' : ''}`;
  return [
    ...DeleteMarkers.map((marker) => line('marker', marker)),
    ...Versions.map((version) => line('object', version)),
  ];
}

describeVersions('versions', () => {
  test('every write is a version of its own; a read gets the newest', async () => {
    const [first, second] = [await write('V/a', 'one'), await write('V/a', 'two')];
    expect(first).not.toBe(second);
    expect(await text('V/a')).toBe('two');
    expect((await get('V/a', { Bucket })).VersionId).toBe(second);
    expect(await listed('V/a')).toEqual([`object ${second} latest`, `object ${first}`]);
  });

  test('a deletion hides the key and keeps its versions', async () => {
    const version = await write('V/hidden');
    const deleted = await remove('V/hidden');
    expect(deleted.DeleteMarker).toBe(true);
    expect(await refusal(get('V/hidden', { Bucket }))).toBe('404 NoSuchKey');
    expect((await list({ Bucket, Prefix: key('V/hidden') })).Contents).toBeUndefined();
    expect(await listed('V/hidden')).toEqual([
      `marker ${deleted.VersionId} latest`,
      `object ${version}`,
    ]);
  });

  test('a deletion of a key that never was adds a marker too', async () => {
    const { VersionId } = await remove('V/never');
    expect(await listed('V/never')).toEqual([`marker ${VersionId} latest`]);
  });

  test('without its marker the key is there again', async () => {
    await write('V/back', 'again');
    const { VersionId } = await remove('V/back');
    expect(await remove('V/back', VersionId)).toMatchObject({ DeleteMarker: true, VersionId });
    expect(await text('V/back')).toBe('again');
  });

  test('a version that is deleted by its id is gone, and the one before is current', async () => {
    const [first, second] = [await write('V/gone', 'one'), await write('V/gone', 'two')];
    const deleted = await remove('V/gone', second);
    expect([deleted.DeleteMarker, deleted.VersionId]).toEqual([undefined, second]);
    expect(await text('V/gone')).toBe('one');
    expect(await refusal(copy('V/gone', second))).toBe('404 NoSuchVersion');
    await remove('V/gone', second);
    expect(await listed('V/gone')).toEqual([`object ${first} latest`]);
  });

  test('many at once: keys get markers, versions go for ever', async () => {
    const [a, b] = [await write('V/many/a'), await write('V/many/b')];
    const { Deleted = [] } = await client.send(
      new DeleteObjectsCommand({
        Bucket,
        Delete: {
          Objects: [{ Key: key('V/many/a') }, { Key: key('V/many/b'), VersionId: b }],
        },
      }),
    );
    const marker = Deleted.find(({ Key }) => Key === key('V/many/a'));
    expect(marker).toMatchObject({ DeleteMarker: true });
    expect(Deleted).toContainEqual({ Key: key('V/many/b'), VersionId: b });
    expect(await listed('V/many/')).toEqual([
      `marker ${marker?.DeleteMarkerVersionId} latest`,
      `object ${a}`,
    ]);
  });

  test('a copy of an earlier version is a new version with its metadata', async () => {
    const described = { Bucket, Body: 'one', ContentType: 'text/css', Metadata: { a: '1' } };
    const { VersionId: first = '' } = await put('V/co ä+py', described);
    const second = await write('V/co ä+py', 'two');
    const copied = await copy('V/co ä+py', first);
    expect(copied.CopySourceVersionId).toBe(first);
    expect([first, second]).not.toContain(copied.VersionId);
    expect(await text('V/co ä+py')).toBe('one');
    expect(await get('V/co ä+py', { Bucket })).toMatchObject({
      ContentType: 'text/css',
      Metadata: { a: '1' },
    });
  });

  test('a copy of a marker, of the current version onto itself, and of no version is refused', async () => {
    const first = await write('V/copy', 'one');
    expect(await refusal(copy('V/copy', first))).toBe('400 InvalidRequest');
    const { VersionId = '' } = await remove('V/copy');
    expect(await refusal(copy('V/copy', VersionId))).toBe('400 InvalidRequest');
    expect(await refusal(copy('V/copy', 'x'))).toBe('400 InvalidArgument');
  });

  test('an upload in parts is a version', async () => {
    const Key = key('V/parts');
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const part = { Bucket, Key, UploadId, PartNumber: 1 };
    const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: 'part' }));
    const { VersionId } = await client.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      }),
    );
    expect(await listed('V/parts')).toEqual([`object ${VersionId} latest`]);
    expect(await text('V/parts')).toBe('part');
  });

  test.each([1, 2, 100])('a list has every version once, %d at a time', async (MaxKeys) => {
    const name = `V/list-${MaxKeys}`;
    const a = [await write(`${name}/a`), await write(`${name}/a`)];
    const b = [await write(`${name}/b`), (await remove(`${name}/b`)).VersionId];
    const seen: unknown[] = [];
    let markers = {};
    for (let more = true; more; ) {
      const page = await versions({ Prefix: key(`${name}/`), MaxKeys, ...markers });
      const ids = [...(page.DeleteMarkers ?? []), ...(page.Versions ?? [])];
      seen.push(...ids.map(({ VersionId }) => VersionId));
      // The next page begins in the same place, although the version of its marker is gone.
      const Objects = (page.Versions ?? []).map(({ Key, VersionId }) => ({ Key, VersionId }));
      if (Objects.length > 0) {
        await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
      }
      markers = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
      more = page.IsTruncated === true;
    }
    expect(seen).toHaveLength(4);
    expect(new Set(seen)).toEqual(new Set([...a, ...b]));
  });

  test('a version marker needs a key marker', async () => {
    const VersionIdMarker = await write('V/alone');
    expect(await refusal(versions({ VersionIdMarker }))).toBe('400 InvalidArgument');
  });
});
