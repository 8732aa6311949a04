import {
  CopyObjectCommand,
  type DeleteMarkerEntry,
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { FileHistory, FileVersion } from '../../core/projects/removal/file-versions.ts';

/** The limit of one DeleteObjects call (Amazon S3 API). */
const maxKeys = 1000;

/** Versions of stored files in S3, with the operator's credentials: functions may neither read nor delete them. */
export function fileHistory(bucket: string, client: S3Client): FileHistory {
  return {
    async *versionsUnder(prefix) {
      let pending: FileVersion[] = [];
      for await (const page of pages(client, bucket, prefix)) {
        const byKey = groupedByKey([...pending, ...versionsOf(page)]);
        // Kept back, because the next page may have more versions of the last file.
        pending = byKey.get(page.NextKeyMarker ?? '') ?? [];
        byKey.delete(page.NextKeyMarker ?? '');
        yield* byKey.values();
      }
      if (pending.length > 0) yield pending;
    },
    async deleteVersions(versions) {
      for (let first = 0; first < versions.length; first += maxKeys) {
        await deleteSome(client, bucket, versions.slice(first, first + maxKeys));
      }
    },
    async copyToTop({ key, versionId }) {
      const path = `${bucket}/${key}`.split('/').map(encodeURIComponent).join('/');
      const CopySource = `${path}?versionId=${encodeURIComponent(versionId)}`;
      await client.send(new CopyObjectCommand({ Bucket: bucket, Key: key, CopySource }));
    },
  };
}

async function* pages(
  client: S3Client,
  Bucket: string,
  Prefix: string,
): AsyncGenerator<ListObjectVersionsCommandOutput> {
  let markers = {};
  for (;;) {
    const page = await client.send(
      new ListObjectVersionsCommand({ Bucket, Prefix, MaxKeys: maxKeys, ...markers }),
    );
    yield page;
    if (page.IsTruncated !== true) return;
    markers = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
}

function versionsOf({ Versions = [], DeleteMarkers = [] }: ListObjectVersionsCommandOutput) {
  return [
    ...Versions.map((version) => fileVersion(version, version.ETag)),
    ...DeleteMarkers.map((marker) => fileVersion(marker, undefined)),
  ];
}

function fileVersion(listed: DeleteMarkerEntry, etag: string | undefined): FileVersion {
  const { Key = '', VersionId = '', LastModified = new Date(0), IsLatest = false } = listed;
  return { key: Key, versionId: VersionId, writtenAt: LastModified, isLatest: IsLatest, etag };
}

function groupedByKey(versions: readonly FileVersion[]): Map<string, FileVersion[]> {
  const groups = new Map<string, FileVersion[]>();
  for (const version of versions) {
    const group = groups.get(version.key);
    if (group === undefined) groups.set(version.key, [version]);
    else group.push(version);
  }
  return groups;
}

async function deleteSome(client: S3Client, Bucket: string, versions: readonly FileVersion[]) {
  const Objects = versions.map(({ key, versionId }) => ({ Key: key, VersionId: versionId }));
  const { Errors } = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
  );
  const [first] = Errors ?? [];
  if (first !== undefined) throw new Error(`${first.Code}: ${first.Key} was not deleted`);
}
