import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ListObjectVersionsCommand, type S3Client } from '@aws-sdk/client-s3';
import { operatorStorage } from '../../../adapters/operator/operator-client.ts';
import { contentBucket } from '../../../adapters/s3/content-bucket.ts';
import { readOperatorAccess } from '../../../local/operator/operator.ts';
import { adminCommand } from '../../fixtures/accounts/admin.ts';
import { anEmail, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { created, remove, temporary } from '../../fixtures/projects/projects.ts';

const cloud = new LocalCloud('trialDays=0');
let client: S3Client;
let bucket: string;
beforeAll(async () => {
  await cloud.start();
  const access = readOperatorAccess(cloud.stateDir);
  if (access === undefined) throw new Error('no operator access');
  bucket = access.content.bucket;
  const endpoint = { url: access.content.endpoint, ...access };
  client = operatorStorage({ region: 'us-east-1', endpoint });
});
afterAll(async () => {
  client.destroy();
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
      stdout: expect.stringContaining('2 files were restored.'),
    });
    expect(await read(url)).toEqual([200, 200]);
    expect((await ask(`${url}/style.css`)).text).toBe('body{}');
    expect((await admin('restore-files', projectId, '--at', at)).stdout).toContain('0 files');
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
    const { projectId } = await aProject();
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
    expect((await admin('restore-files', projectId, '--at', at)).stdout).toContain('0 files');
  });

  test('reaches what a deleted project left, at once', async () => {
    const { projectId } = await temporary(files, cloud.baseUrl);
    await cloud.advance(3 * day);
    expect(await versionsOf(projectId)).toBeGreaterThan(0);
    expect(await admin('purge-files', projectId)).toMatchObject({ code: 0 });
    expect(await versionsOf(projectId)).toBe(0);
  });
});
