import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ProjectId } from '../../contract/fields.ts';
import { daySeconds } from '../../contract/limits.ts';
import { uploadLocation } from '../../core/content/content-keys.ts';
import { deletePreview } from '../../core/projects/previews/manage-previews.ts';
import { type PreviewInput, putPreview } from '../../core/projects/previews/put-preview.ts';
import { listProjectFiles } from '../../core/projects/versions/list-files.ts';
import { readManifest } from '../../core/projects/versions/kept-versions.ts';
import { filePlace, readFilePlace } from '../../core/visit/file-place.ts';
import { OwnerWorld, uploaded } from '../fixtures/accounts/owner-world.ts';
import { localStores } from '../fixtures/clouds/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const name = 'pr-1';
/** Larger than a file that shares an object with others. */
const photo = 'p'.repeat(5_000_000);
const isPhoto = (key: string) => key.endsWith(uploadLocation('', 'photo.bin'));

/** A project with a preview of some files. */
class Shown {
  readonly #world = new OwnerWorld(stores);
  id = '';

  async open(files: Record<string, string>): Promise<this> {
    await this.#world.open();
    this.id = await this.#world.publish({ 'index.html': 'live' });
    await this.put(files, { lifeSeconds: 7 * daySeconds });
    return this;
  }

  put(files: Record<string, string>, input: Partial<PreviewInput> = {}) {
    const choices = { name, access: 'project', lifeSeconds: daySeconds } as const;
    const sent = { projectId: this.id, files: uploaded(files) };
    return putPreview(this.#world.deps, this.#world.caller, { ...choices, ...sent, ...input });
  }

  /** Merges into what the preview shows now. */
  async merge(files: Record<string, string>, input: Partial<PreviewInput> = {}) {
    return this.put(files, { mergeInto: (await this.listed()).version, ...input });
  }

  listed() {
    const query = { projectId: this.id, preview: name, limit: 1000 };
    return listProjectFiles(this.#world.deps, this.#world.caller, query);
  }

  /** The bytes of each file that the preview shows. */
  async files() {
    const { projects, content } = this.#world.deps;
    const id = ProjectId.parse(this.id);
    const version = await projects.getDroppedVersion(id, (await this.listed()).version);
    if (version === undefined) throw new Error('the preview shows nothing');
    const read = [...((await readManifest(content, id, version)) ?? [])].map(
      async ([path, entry]) => {
        const place = filePlace({ projectId: id, store: version.store }, path, entry);
        return [path, Buffer.from((await readFilePlace(content, place)) ?? []).toString()] as const;
      },
    );
    return Object.fromEntries(await Promise.all(read));
  }

  end = () => deletePreview(this.#world.deps, this.#world.caller, { projectId: this.id, name });
  push = (text: string) => this.#world.update(this.id, { files: { 'index.html': text } });
  later = (seconds: number) => this.#world.sweepAfter(seconds);
  keys = () => this.#world.keys(this.id);
  leftToDo = () => this.#world.leftToDo(this.id);
}

test('files that are not sent stay, are stored once, and outlive what they were sent with', async () => {
  const files = {
    'index.html': 'one',
    'style.css': 'body{}',
    'photo.bin': photo,
    'old.txt': 'old',
  };
  const shown = await new Shown().open(files);
  const before = await shown.keys();
  const merged = await shown.merge(
    { 'index.html': 'two', 'new.txt': 'new' },
    { delete: ['old.txt'] },
  );
  expect(merged).toMatchObject({ isUnchanged: false, fileCount: 4 });
  const { 'old.txt': _, ...rest } = files;
  const expected = { ...rest, 'index.html': 'two', 'new.txt': 'new' };
  expect(await shown.files()).toEqual(expected);
  const added = (await shown.keys()).filter((key) => !before.includes(key));
  expect(added.length).toBeGreaterThan(0);
  expect([before.filter(isPhoto).length, added.filter(isPhoto).length]).toEqual([1, 0]);
  for (const text of ['three', 'four', 'five']) {
    await shown.push(text);
    await shown.merge({ 'new.txt': text });
    await shown.later(3 * 3600);
    expect(await shown.files()).toEqual({ ...expected, 'new.txt': text });
  }
  await shown.later(2 * daySeconds);
  expect((await shown.keys()).filter(isPhoto)).toEqual([]);
});

test('after its end nothing of it is left, whatever its pushes took over', async () => {
  const shown = await new Shown().open({ 'a.txt': 'a', 'photo.bin': photo });
  await shown.merge({ 'b.txt': 'b' });
  await shown.merge({ 'c.txt': 'c' });
  await shown.end();
  await shown.later(3 * 3600);
  await shown.later(daySeconds);
  expect(await shown.leftToDo()).toEqual([]);
  expect(await shown.keys()).toHaveLength(1);
});

test('the same files only move its end', async () => {
  const shown = await new Shown().open({ 'a.txt': 'a', 'b.txt': 'b' });
  const before = await shown.keys();
  const { version } = await shown.listed();
  expect(await shown.merge({})).toMatchObject({ isUnchanged: true });
  expect(await shown.merge({ 'a.txt': 'a' })).toMatchObject({ isUnchanged: true });
  expect((await shown.listed()).version).toBe(version);
  expect(await shown.keys()).toEqual(before);
});

describe('refuses, and leaves nothing behind', () => {
  test.each<[string, Partial<PreviewInput>, string]>([
    ['a version that it does not show any more', { mergeInto: 1 }, 'VERSION_CONFLICT'],
    ['another preview, which is not there', { name: 'pr-2' }, 'VERSION_CONFLICT'],
    ['a path that it does not have', { delete: ['none.txt'] }, 'INVALID_REQUEST'],
    ['to delete every file', { delete: ['a.txt', 'b.txt'], files: [] }, 'INVALID_REQUEST'],
    ['a file that is sent and deleted', { delete: ['c.txt'] }, 'INVALID_REQUEST'],
  ])('%s', async (_, input, code) => {
    const shown = await new Shown().open({ 'a.txt': 'a', 'b.txt': 'b' });
    const before = await shown.keys();
    await expect(shown.merge({ 'c.txt': 'c' }, input)).rejects.toMatchObject({ code });
    expect(await shown.keys()).toEqual(before);
    expect(await shown.leftToDo()).toEqual(['DROP']);
    expect(await shown.files()).toEqual({ 'a.txt': 'a', 'b.txt': 'b' });
  });

  test('one that is about to end, whose files may be removed meanwhile', async () => {
    const shown = await new Shown().open({ 'a.txt': 'a', 'b.txt': 'b' });
    await shown.later(7 * daySeconds - 59);
    await expect(shown.merge({ 'c.txt': 'c' })).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
  });
});
