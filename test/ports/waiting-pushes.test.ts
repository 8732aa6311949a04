import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProjectId } from '../../contract/fields.ts';
import type { StoreKey } from '../../core/content/content-keys.ts';
import { deletePreview, listPreviews } from '../../core/projects/previews/manage-previews.ts';
import { putPreview } from '../../core/projects/previews/put-preview.ts';
import { publishQueuedUpload } from '../../core/projects/publishing/publish-queued-upload.ts';
import { deleteProject } from '../../core/projects/removal/delete-project.ts';
import { restoreProject } from '../../core/projects/removal/restore-deleted.ts';
import type { PushedSettings } from '../../core/projects/versions/pushed-settings.ts';
import { listDeployments } from '../../core/projects/versions/deployment.ts';
import { replaceProjectFiles } from '../../core/projects/versions/replace-files.ts';
import { OwnerWorld, uploaded } from '../fixtures/accounts/owner-world.ts';
import { piecesSource } from '../fixtures/archives/byte-sources.ts';
import { deflatedEntry, largeZip, storedEntry } from '../fixtures/archives/large-zip.ts';
import { localStores } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

/** A few kilobytes that unpack to more than a request publishes. */
async function packedArchive(text: string) {
  const home = storedEntry('index.html', Buffer.from(text), text.length);
  const source = piecesSource(
    largeZip([home, deflatedEntry('zeros.bin', Buffer.alloc(2 ** 20), 17, 9)]),
  );
  const bytes = await source.read(0, source.size - 1);
  return [{ name: 'site.zip', contentType: 'application/zip', bytes }];
}

/** A project whose large pushes wait until the test lets a worker take them. */
class Project {
  readonly #world: OwnerWorld;
  readonly #jobs: { key: StoreKey; uploadId: string }[] = [];
  #last: StoreKey | undefined;
  id = '';

  constructor(world: OwnerWorld) {
    this.#world = world;
  }

  get deps() {
    const send = async (key: StoreKey) => void (this.#last = key);
    return { ...this.#world.deps, jobs: { send }, keptDays: 30 };
  }

  async open(): Promise<this> {
    await this.#world.open();
    this.id = await this.#world.publish({ 'index.html': 'live' });
    return this;
  }

  async #queue(push: () => Promise<{ uploadId?: string | undefined }>): Promise<number> {
    const { uploadId = '' } = await push();
    if (this.#last === undefined) throw new Error('nothing was queued');
    return this.#jobs.push({ key: this.#last, uploadId }) - 1;
  }

  put(name: string, files: Parameters<typeof putPreview>[2]['files']) {
    const choices = { name, access: 'project', lifeSeconds: 86_400 } as const;
    const { caller } = this.#world;
    return putPreview(this.deps, caller, { projectId: this.id, ...choices, files });
  }

  async queuePreview(name: string, text = name): Promise<number> {
    const files = await packedArchive(text);
    return this.#queue(() => this.put(name, files));
  }

  async queueVersion(settings: PushedSettings & { note?: string } = {}): Promise<number> {
    const files = await packedArchive('next');
    const push = { projectId: this.id, files, ...settings };
    return this.#queue(() => replaceProjectFiles(this.deps, this.#world.caller, push));
  }

  /** Lets a worker take a job; returns how its upload ended. */
  async work(job: number) {
    const { key, uploadId } = this.#jobs[job] ?? {};
    if (key === undefined) throw new Error('there is no such job');
    await publishQueuedUpload(this.deps, key);
    const upload = await this.deps.uploads.get(uploadId as never);
    return { state: upload?.state, code: upload?.failure?.code, error: upload?.failure?.error };
  }

  end(name: string) {
    return deletePreview(this.deps, this.#world.caller, { projectId: this.id, name });
  }

  async deleteAndRestore() {
    const { caller } = this.#world;
    await deleteProject(this.deps, caller, { projectId: this.id });
    await restoreProject(this.deps, caller, { projectId: this.id });
  }

  async shown() {
    const { previews } = await listPreviews(this.deps, this.#world.caller, { projectId: this.id });
    return Object.fromEntries(previews.map(({ name, sizeBytes }) => [name, sizeBytes]));
  }

  async notes() {
    const { caller } = this.#world;
    const versions = await listDeployments(this.deps, caller, { projectId: this.id });
    return versions.map(({ note }) => note);
  }

  keys = () => this.#world.keys(this.id);
  stored = () => this.deps.projects.get(ProjectId.parse(this.id));
}

const aProject = () => new Project(new OwnerWorld(stores)).open();
const sizeOf = (text: string) => 17 * 2 ** 20 + text.length;
const gone = { state: 'failed', code: 'NOT_FOUND', error: expect.stringContaining('was deleted') };

describe('what is deleted while a push waits for a worker stays deleted', () => {
  test.each(['a preview that is shown', 'a preview that was never shown'])('%s', async (which) => {
    const project = await aProject();
    if (which.endsWith('is shown')) await project.put('pr-1', uploaded({ 'index.html': 'one' }));
    const job = await project.queuePreview('pr-1');
    const other = await project.queuePreview('pr-2');
    expect(await project.end('pr-1')).toEqual({ deleted: true });
    await expect(project.end('pr-1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const before = await project.keys();
    expect(await project.work(job)).toEqual(gone);
    expect(await project.shown()).toEqual({});
    expect(await project.keys()).toEqual(before);
    // A push of another name, and a later one of this name, are not affected.
    expect(await project.work(other)).toMatchObject({ state: 'published' });
    const again = await project.queuePreview('pr-1', 'again');
    expect(await project.work(again)).toMatchObject({ state: 'published' });
    expect(await project.shown()).toEqual({ 'pr-1': sizeOf('again'), 'pr-2': sizeOf('pr-2') });
    expect((await project.stored())?.waitingPushes).toEqual([]);
  });

  test('a preview and a version, with the project that is restored', async () => {
    const project = await aProject();
    const jobs = [await project.queuePreview('pr-1'), await project.queueVersion()];
    await project.deleteAndRestore();
    for (const job of jobs) expect(await project.work(job)).toEqual(gone);
    expect(await project.shown()).toEqual({});
    expect(await project.stored()).toMatchObject({ version: 1 });
    expect(await project.work(await project.queueVersion())).toMatchObject({ state: 'published' });
    expect(await project.stored()).toMatchObject({ version: 4, waitingPushes: [] });
  });
});

describe('the later push of a preview is the one that is shown', () => {
  test('when workers take two pushes in the wrong order', async () => {
    const project = await aProject();
    const [first, second] = [
      await project.queuePreview('pr-1', 'one'),
      await project.queuePreview('pr-1', 'later'),
    ];
    expect(await project.work(second)).toMatchObject({ state: 'published' });
    expect(await project.work(first)).toMatchObject({ state: 'failed', code: 'VERSION_CONFLICT' });
    expect(await project.shown()).toEqual({ 'pr-1': sizeOf('later') });
  });

  test('when the later one has the files that are shown already', async () => {
    const project = await aProject();
    const same = uploaded({ 'index.html': 'one' });
    await project.put('pr-1', same);
    const job = await project.queuePreview('pr-1', 'two');
    expect(await project.put('pr-1', [...same])).toMatchObject({ isUnchanged: true });
    expect(await project.work(job)).toMatchObject({ state: 'failed' });
    expect(await project.shown()).toEqual({ 'pr-1': 3 });
  });

  test('and in the right order both are', async () => {
    const project = await aProject();
    const jobs = [
      await project.queuePreview('pr-1', 'one'),
      await project.queuePreview('pr-1', 'later'),
    ];
    for (const job of jobs) expect(await project.work(job)).toMatchObject({ state: 'published' });
    expect(await project.shown()).toEqual({ 'pr-1': sizeOf('later') });
  });
});

test('settings and note of a push come when a worker makes its files live', async () => {
  const project = await aProject();
  const job = await project.queueVersion({ title: 'Pier', spa: true, note: 'A new pier' });
  expect((await project.stored())?.title).not.toBe('Pier');
  expect(await project.work(job)).toMatchObject({ state: 'published' });
  expect(await project.stored()).toMatchObject({ version: 2, title: 'Pier', spa: true });
  expect(await project.notes()).toEqual(['A new pier', undefined]);
});
