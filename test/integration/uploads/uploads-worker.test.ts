import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get, sendWith, signIn } from '../../fixtures/accounts/accounts.ts';
import { ask, file } from '../../fixtures/clouds/client.ts';
import { aLargeArchive, fileOf } from '../../fixtures/archives/large-archive.ts';
import { LocalCloud } from '../../fixtures/clouds/local-cloud.ts';
import { contentObjects } from '../../fixtures/clouds/stored-changes.ts';
import { create, created, expectNoSite, remove, usage } from '../../fixtures/projects/projects.ts';
import { longProof } from '../../fixtures/proof-size.ts';
import { expectRefusal } from '../../fixtures/clouds/refusals.ts';
import {
  ended,
  progress,
  publishedUpload,
  publishUpload,
  sent,
} from '../../fixtures/uploads/uploads.ts';
import { history, patch, push, putAway, rollBack } from '../../fixtures/projects/versions.ts';

/** Deleted projects are removed immediately, and the clock is moved for weeks. */
const cloud = new LocalCloud('deletedKeptDays=0', 'trialDays=90');
let asker = { apiKey: '', service: '' };
let archive: Buffer;
let damaged: Buffer;
/** Files of a MiB, which share a pack. */
const count = 19;
/** The pack, and a large file that is stored before it, so that a worker can be interrupted between the two. */
const objects = 2;
beforeAll(async () => {
  archive = await aLargeArchive(count, { largeMebibytes: 5 });
  damaged = await aLargeArchive(count, { largeMebibytes: 5, damaged: true });
  await cloud.start();
  asker = { apiKey: await signIn(undefined, cloud.baseUrl), service: cloud.baseUrl };
}, 600_000);
afterAll(() => cloud.remove());

const view = (projectId: string) => get(`/v1/projects/${projectId}`, asker.apiKey, asker.service);
const contentKeys = async () =>
  (await cloud.state()).keys.filter((key) => key.startsWith('content/'));
/** All that was ever stored in the bucket; to look at the state again and again would take the worker's time. */
const stored = () => contentObjects(cloud.stateDir);
const jobRows = async () =>
  ((await cloud.state()).rows['projects'] ?? []).filter(({ sk }) => sk?.S?.startsWith('INTENT#'));

async function expectWhole(url: string): Promise<void> {
  expect((await ask(url)).text).toBe(`<h1>${count}</h1>`);
  for (const at of [0, 17, count - 1]) {
    expect((await ask(`${url}/${at}.bin`)).body.equals(fileOf(at))).toBe(true);
  }
}

const byName = (a: string, b: string) => a.localeCompare(b);

/** Everything but what the account has live, once all that is due is done. */
async function expectNothingElse(versions: number, objects: number): Promise<void> {
  await cloud.advance(25 * 3600);
  await cloud.maintain();
  const { rows, keys } = await cloud.state();
  const kinds = (rows['projects'] ?? []).map(({ sk }) => String(sk?.S?.split('#')[0]));
  const projects = new Set((rows['projects'] ?? []).map(({ pk }) => pk?.S)).size;
  expect({ kinds: kinds.toSorted(byName), objects: keys.length }).toEqual({
    kinds: [
      ...Array.from({ length: projects }, () => 'META'),
      ...Array.from({ length: versions }, () => 'VERSION'),
    ],
    objects,
  });
  // Addresses that were left stay with the account.
  const serving = (rows['sites'] ?? []).filter((row) => row['projectId'] !== undefined);
  expect(serving).toHaveLength(projects);
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let rounds = 0; !(await isSo()); rounds += 1) {
    if (rounds > 1000) throw new Error('it does not come about');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Ends the cloud while the worker is at it, some files stored; gives the upload. */
async function killedAtWork(publish: (uploadId: string) => Promise<unknown>): Promise<string> {
  const uploadId = await sent(archive, asker);
  const before = stored();
  await publish(uploadId);
  await until(() => stored() > before);
  await cloud.kill();
  return uploadId;
}

/** Loses every message; returns how many changes of messages the queues had stored. */
function emptyQueues(): number {
  const dir = join(cloud.stateDir, 'sqs');
  const logs = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(dir, name));
  const lines = logs.flatMap((log) => readFileSync(log, 'utf8').split('\n').filter(Boolean));
  for (const log of logs) truncateSync(log);
  return lines.length;
}

describe('an archive whose damage a worker finds', () => {
  test('becomes no project: nothing counts, is served or remains, and its owner gets the reason', async () => {
    const slug = 'damaged-one';
    const uploadId = await sent(damaged, asker);
    const accepted = { ...asker, fields: { slug } };
    const { projectId, url } = await publishedUpload('create', uploadId, accepted);
    const end = await ended(uploadId, asker);
    expect(end).toMatchObject({
      status: 'failed',
      projectId: null,
      failure: {
        status: 'error',
        code: 'ARCHIVE_INVALID',
        error: expect.stringContaining(`${count - 1}.bin`),
      },
    });
    expect(end.failure.nextStep).toMatch(/\S/);
    const gone = await view(projectId);
    expectRefusal(gone, 404, 'NOT_FOUND');
    expect(gone.json.error).toContain(`${count - 1}.bin`);
    await expectNoSite(url);
    expect(await usage(asker.apiKey, asker.service)).toEqual({ projects: 0, bytes: 0 });
    expect((await get('/v1/projects', asker.apiKey, asker.service)).json.data.projects).toEqual([]);
    await until(async () => (await cloud.state()).keys.length === 0);
    expectRefusal(await publishUpload('create', uploadId, asker), 404, 'NOT_FOUND');

    const again = await create(asker.apiKey, { fields: { slug }, service: asker.service });
    expect(again.status).toBe(201);
    await remove(asker.apiKey, again.json.data.projectId, asker.service);
    await expectNothingElse(0, 0);
  });

  test('becomes no version: the live one stays, and the next number is not used', async () => {
    const { projectId, url } = await created(asker.apiKey, asker);
    const uploadId = await sent(damaged, asker);
    const data = await publishedUpload({ projectId }, uploadId, asker);
    expect(data.deploymentId).toBe('dep_v2');
    expect((await ended(uploadId, asker)).failure).toMatchObject({ code: 'ARCHIVE_INVALID' });
    expect((await ask(url)).text).toBe('<h1>Mine</h1>');
    expect(await history(asker.apiKey, projectId, asker.service)).toEqual(['1 active']);
    await until(async () => (await contentKeys()).length === 1);
    const next = await push(asker.apiKey, projectId, [file('index.html', 'next')], asker);
    expect(next.json.data.deploymentId).toBe('dep_v3');
    expect((await ask(url)).text).toBe('next');
    await remove(asker.apiKey, projectId, asker.service);
    await expectNothingElse(0, 0);
  });
});

/** Deletes while the worker is at it; false when that was quicker. */
async function deletedAtWork(isFirst: boolean): Promise<boolean> {
  const existing = isFirst ? undefined : await created(asker.apiKey, asker);
  const uploadId = await sent(archive, asker);
  const before = stored();
  const published = await publishedUpload(existing ?? 'create', uploadId, asker);
  const { projectId } = existing ?? published;
  await until(() => stored() > before);
  expect((await remove(asker.apiKey, projectId, asker.service)).status).toBe(200);
  expectRefusal(await view(projectId), 404, 'NOT_FOUND');
  expect(await usage(asker.apiKey, asker.service)).toEqual({ projects: 0, bytes: 0 });
  const { status, failure } = await ended(uploadId, asker);
  if (status === 'failed') expect(failure).toMatchObject({ code: 'NOT_FOUND' });
  await until(async () => (await jobRows()).length === 0);
  // The worker removes what was sent last of all, without any maintenance.
  await until(async () => (await cloud.state()).keys.length === 0);
  await expectNothingElse(0, 0);
  return status === 'failed';
}

test.each([
  ['first', true],
  ['next', false],
])(
  'a project that is deleted while a worker publishes its %s version is removed completely',
  async (_, isFirst) => {
    for (let tries = 1; !(await deletedAtWork(isFirst)); tries += 1) expect(tries).toBeLessThan(5);
  },
  180_000,
);

describe('after a crash of a worker', () => {
  test('a new project is `uploading` until the message is delivered again, and is published once', async () => {
    let project = { projectId: '', url: '' };
    const uploadId = await killedAtWork(async (id) => {
      project = await publishedUpload('create', id, asker);
    });
    const { projectId, url } = project;
    await cloud.resume();
    const { apiKey, service } = asker;
    expect((await view(projectId)).json.data.status).toBe('uploading');
    const { data } = (await get('/v1/projects', apiKey, service)).json;
    expect(data.projects.map(({ status }: { status: string }) => status)).toEqual(['uploading']);
    expect(await usage(apiKey, service)).toMatchObject({ projects: 1 });
    expect((await progress(uploadId, asker)).json.data.status).toBe('publishing');
    await expectNoSite(url, ['/', '/index.html', '/0.bin']);
    const named = { title: 'Named while it is stored', noIndex: true };
    expect((await patch(apiKey, projectId, named, service)).status).toBe(200);
    for (const answer of [
      await push(apiKey, projectId, [file('index.html')], { service }),
      await rollBack(apiKey, projectId, 1, service),
      await putAway(apiKey, projectId, 'archive', service),
    ]) {
      expectRefusal(answer, 409, 'UPLOAD_INCOMPLETE');
    }
    const { slug } = (await view(projectId)).json.data;
    const refused = await create(apiKey, { fields: { slug }, service });
    expectRefusal(refused, 409, 'SLUG_TAKEN');

    await cloud.advance(17 * 60);
    expect(await ended(uploadId, asker)).toMatchObject({ status: 'published', projectId });
    await expectWhole(url);
    expect((await view(projectId)).json.data).toMatchObject({ ...named, status: 'public' });
    expect(await history(apiKey, projectId, service)).toEqual(['1 active']);
    await expectNothingElse(1, objects);
    await remove(apiKey, projectId, service);
    await expectNothingElse(0, 0);
  }, 600_000);

  test('a version whose message is lost as well gets a new message, and is published once', async () => {
    const { projectId, url } = await created(asker.apiKey, asker);
    const uploadId = await killedAtWork((id) => publishedUpload({ projectId }, id, asker));
    expect(emptyQueues()).toBeGreaterThan(0);
    await cloud.resume();
    expect((await ask(url)).text).toBe('<h1>Mine</h1>');
    await cloud.advance(17 * 60);
    expect((await progress(uploadId, asker)).json.data.status).toBe('publishing');
    await cloud.advance(4 * 60);
    expect(await ended(uploadId, asker)).toMatchObject({ status: 'published', projectId });
    await expectWhole(url);
    const kept = await history(asker.apiKey, projectId, asker.service);
    expect(kept).toEqual(['2 active', '1 ready']);
    await expectNothingElse(2, objects + 1);
    await remove(asker.apiKey, projectId, asker.service);
    await expectNothingElse(0, 0);
  }, 600_000);

  test('a named preview is shown beside what is live; a damaged archive leaves it as it is', async () => {
    const { projectId, url } = await created(asker.apiKey, asker);
    const to = { projectId: `${projectId}/previews/pr-42` };
    let preview = '';
    const uploadId = await killedAtWork(async (id) => {
      preview = (await publishedUpload(to, id, asker)).url;
    });
    await cloud.resume();
    await expectNoSite(preview, ['/', '/0.bin']);
    await cloud.advance(17 * 60);
    expect(await ended(uploadId, asker)).toMatchObject({ status: 'published', projectId });
    await expectWhole(preview);
    const broken = await sent(damaged, asker);
    expect((await publishedUpload(to, broken, asker)).url).toBe(preview);
    expect((await ended(broken, asker)).failure).toMatchObject({ code: 'ARCHIVE_INVALID' });
    await expectWhole(preview);
    expect((await ask(url)).text).toBe('<h1>Mine</h1>');
    expect(await history(asker.apiKey, projectId, asker.service)).toEqual(['1 active']);
    await remove(asker.apiKey, projectId, asker.service);
    await expectNothingElse(0, 0);
  }, 600_000);

  longProof(
    'a push with an expected version is refused if another one is live by then',
    async () => {
      const { projectId, url } = await created(asker.apiKey, asker);
      const fields = { expectedVersion: 1 };
      const uploadId = await killedAtWork((id) =>
        publishedUpload({ projectId }, id, { ...asker, fields }),
      );
      await cloud.resume();
      const quick = await push(asker.apiKey, projectId, [file('index.html', 'quick')], asker);
      expect(quick.json.data.deploymentId).toBe('dep_v3');
      await cloud.advance(17 * 60);
      expect((await ended(uploadId, asker)).failure).toMatchObject({ code: 'VERSION_CONFLICT' });
      expect((await ask(url)).text).toBe('quick');
      await remove(asker.apiKey, projectId, asker.service);
      await expectNothingElse(0, 0);
    },
    180_000,
  );

  longProof(
    'a project that could not be published for two hours fails',
    async () => {
      let projectId = '';
      const uploadId = await killedAtWork(async (id) => {
        ({ projectId } = await publishedUpload('create', id, asker));
      });
      emptyQueues();
      await cloud.resume();
      await cloud.advance(2 * 3600 + 60);
      expect(await ended(uploadId, asker)).toMatchObject({
        status: 'failed',
        failure: { code: 'UPLOAD_FAILED' },
      });
      const gone = await view(projectId);
      expectRefusal(gone, 404, 'NOT_FOUND');
      expect(gone.json.error).toContain('in time');
      expect(await usage(asker.apiKey, asker.service)).toEqual({ projects: 0, bytes: 0 });
      expect((await cloud.state()).keys).toEqual([]);
      await expectNothingElse(0, 0);
    },
    180_000,
  );

  longProof(
    'a project that is deleted then stays deleted, and the repeated message does nothing',
    async () => {
      let projectId = '';
      const uploadId = await killedAtWork(async (id) => {
        ({ projectId } = await publishedUpload('create', id, asker));
      });
      await cloud.resume();
      await remove(asker.apiKey, projectId, asker.service);
      await cloud.advance(17 * 60);
      expect((await ended(uploadId, asker)).failure).toMatchObject({ code: 'NOT_FOUND' });
      expect((await cloud.state()).keys).toEqual([]);
      await expectNothingElse(0, 0);
    },
    180_000,
  );

  longProof(
    'a project whose workspace is deleted meanwhile is published without one',
    async () => {
      const { apiKey, service } = asker;
      const made = await sendWith(apiKey, `${service}/v1/workspaces`, { name: 'Short-lived' });
      const workspaceId = made.json.data.id;
      let projectId = '';
      const uploadId = await killedAtWork(async (id) => {
        const fields = { workspaceId };
        ({ projectId } = await publishedUpload('create', id, { ...asker, fields }));
      });
      await cloud.resume();
      const deleted = await sendWith(
        apiKey,
        `${service}/v1/workspaces/${workspaceId}`,
        undefined,
        'DELETE',
      );
      expect(deleted.status).toBe(200);
      expect((await view(projectId)).json.data).toMatchObject({
        status: 'uploading',
        workspaceId: null,
      });
      await cloud.advance(17 * 60);
      expect((await ended(uploadId, asker)).status).toBe('published');
      expect((await view(projectId)).json.data).toMatchObject({
        status: 'public',
        workspaceId: null,
      });
      await remove(apiKey, projectId, service);
      await expectNothingElse(0, 0);
    },
    180_000,
  );
});
