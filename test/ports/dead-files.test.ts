import { HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { createProject } from '../../core/projects/publishing/create-project.ts';
import { sweep } from '../../core/projects/removal/sweep.ts';
import { readFileTexts } from '../../core/projects/versions/read-files.ts';
import { changeProjectFiles } from '../../core/projects/versions/update-files.ts';
import { localStores } from '../fixtures/clouds/local-stores.ts';
import { checkVersions, settle } from '../fixtures/quota/checks.ts';
import { type LocalStores, World } from '../fixtures/quota/world.ts';

let stores: LocalStores;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const hour = 3600;
const day = 24 * hour;
const secret = 'DATABASE_PASSWORD=swordfish';
const shared = 'so that the pack is kept: most of it stays in use'.repeat(100);
/** Accounts of the world: one version is kept, or three. */
const free = 0;
const starter = 1;

/** A project with a file that its owner deletes by its name. */
class Project {
  readonly world: World;
  readonly owner: number;
  id = '';

  constructor(world: World, owner: number) {
    this.world = world;
    this.owner = owner;
  }

  async publish(named = 'prod.env'): Promise<this> {
    const input = {
      title: 'Harbour',
      access: 'public' as const,
      files: [file('index.html', shared), file(named, secret), file('style.css', 'a{}')],
    };
    const { world } = this;
    const caller = await world.caller(this.owner);
    this.id = (await createProject(world.deps(), caller, input)).projectId;
    return this;
  }

  async merge(change: { files?: ReturnType<typeof file>[]; delete?: string[] }): Promise<void> {
    const caller = await this.world.caller(this.owner);
    const input = { projectId: this.id, ...change, mode: 'merge' as const };
    await changeProjectFiles(this.world.deps(), caller, input);
  }

  /** Time passes, and maintenance runs as often as it needs to. */
  async wait(seconds: number): Promise<void> {
    this.world.advance(seconds);
    await settle(this.world);
  }

  /** The objects with the deleted file's bytes. */
  async holders(): Promise<string[]> {
    const found: string[] = [];
    for (const key of (await this.packs()).keys()) {
      const bytes = await this.world.content.get(key);
      if (Buffer.from(bytes ?? []).includes(secret)) found.push(key);
    }
    return found;
  }

  packs(): Promise<Map<string, number>> {
    return stores.objects(`content/${this.id}/`);
  }
}

function file(name: string, text: string) {
  return { name, contentType: '', bytes: Buffer.from(text) };
}

async function aProject(owner = free, named?: string): Promise<Project> {
  return new Project(await new World(stores).open(), owner).publish(named);
}

describe('a file that is deleted by its name', () => {
  test('leaves its pack when no kept version has it, and all other files stay', async () => {
    const project = await aProject();
    await project.merge({ delete: ['prod.env'] });
    await project.wait(3 * hour);
    // The version that had it is gone; its pack stays for the others.
    expect(await project.holders()).toHaveLength(1);
    await project.wait(day);
    expect(await project.holders()).toEqual([]);
    expect(await checkVersions(project.world)).toBeGreaterThan(0);
  });

  test('stays while a kept version has it', async () => {
    const project = await aProject(starter);
    await project.merge({ delete: ['prod.env'] });
    await project.merge({ files: [file('style.css', 'b{}')] });
    await project.wait(4 * day);
    expect(await project.holders()).toHaveLength(1);
    await project.merge({ files: [file('style.css', 'last{}')] });
    await project.wait(3 * hour);
    await project.wait(day);
    expect(await project.holders()).toEqual([]);
    expect(await checkVersions(project.world)).toBeGreaterThan(2);
  });

  test('leaves it with the next run if one is cut off', async () => {
    const project = await aProject();
    const { world } = project;
    await project.merge({ delete: ['prod.env'] });
    await project.wait(3 * hour);
    world.advance(day);
    const deps = world.deps();
    const content = {
      ...deps.content,
      rewrite: async () => {
        throw new Error('cut off');
      },
    };
    const { failures } = await sweep({ ...deps, content }, world.now, () => 60_000);
    expect(failures).toBe(1);
    expect(await project.holders()).toHaveLength(1);
    await settle(world);
    expect(await project.holders()).toEqual([]);
  });
});

describe('an erasure that is due', () => {
  /** A project whose pack waits for an erasure that is due now, with a file that nobody has deleted yet. */
  async function aDueErasure() {
    const project = await aProject();
    await project.merge({ delete: ['prod.env'] });
    await project.wait(3 * hour);
    project.world.advance(day);
    return project;
  }
  const run = ({ world }: Project) => sweep(world.deps(), world.now, () => 60_000);

  test('leaves what a version shows that left a moment ago, for downloads that have begun', async () => {
    const project = await aDueErasure();
    await project.merge({ delete: ['style.css'] });
    await run(project);
    const [pack = ''] = (await project.packs()).keys();
    const text = () =>
      project.world.content.get(pack).then((bytes) => Buffer.from(bytes ?? []).toString());
    expect(await text()).toContain('a{}');
    expect(await project.holders()).toEqual([]);
    await project.wait(3 * hour);
    await project.wait(day);
    expect(await text()).not.toContain('a{}');
  });

  test('takes nothing from under a push that races another one', async () => {
    const project = await aDueErasure();
    const { world } = project;
    const caller = await world.caller(free);
    const deps = world.deps();
    const replace = (own: typeof deps, files: ReturnType<typeof file>[]) =>
      changeProjectFiles(own, caller, { projectId: project.id, mode: 'replace', files });
    let hasRaced = false;
    const get: typeof deps.content.get = async (key, range) => {
      if (range !== undefined && !hasRaced) {
        hasRaced = true;
        await replace(world.deps(), [file('index.html', shared), file('new.txt', 'n')]);
        await run(project);
      }
      return deps.content.get(key, range);
    };
    const content = { ...deps.content, get };
    await replace({ ...deps, content }, [file('style.css', 'a{}'), file('other.txt', 'o')]);
    expect(hasRaced).toBe(true);
    const read = { projectId: project.id, paths: ['style.css'] };
    expect((await readFileTexts(world.deps(), caller, read)).files[0]?.text).toBe('a{}');
  });
});

test('an asset that visitors may still ask for leaves its pack when its time is over', async () => {
  const project = await aProject(free, 'data-3f2a9c1b.json');
  const { world } = project;
  const files = [file('index.html', shared), file('style.css', 'a{}')];
  const input = { projectId: project.id, mode: 'replace' as const, files };
  await changeProjectFiles(world.deps(), await world.caller(free), input);
  await project.wait(3 * hour);
  expect(await project.holders()).not.toEqual([]);
  for (let days = 0; days < 14; days += 1) await project.wait(day);
  expect(await project.holders()).toEqual([]);
});

test('versions that leave within a day cost one write of their pack', async () => {
  const project = await aProject();
  const { world } = project;
  let writes = 0;
  const sweepCounting = async () => {
    const deps = world.deps();
    const { content } = deps;
    const rewrite: typeof content.rewrite = (key, edit) =>
      content.rewrite(key, (bytes) => {
        const isEdited = edit(bytes);
        if (isEdited) writes += 1;
        return isEdited;
      });
    await sweep({ ...deps, content: { ...content, rewrite } }, world.now, () => 60_000);
  };
  await project.merge({ delete: ['prod.env'] });
  for (let count = 1; count <= 5; count += 1) {
    await project.merge({ files: [file('style.css', `b{order:${count}}`)] });
    world.advance(3 * hour);
    await sweepCounting();
  }
  world.advance(day);
  await sweepCounting();
  expect(writes).toBe(1);
  world.advance(5 * day);
  await sweepCounting();
  expect(writes).toBe(1);
  expect(await project.holders()).toEqual([]);
  expect(await checkVersions(world)).toBeGreaterThan(0);
});

/** A pack that something happens to between the read and the write of a run that erases in it. */
async function rewriteWhile(meanwhile: (pack: string) => Promise<unknown>) {
  const project = await aProject();
  const [pack = ''] = (await project.packs()).keys();
  const client = new S3Client({});
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'PutObjectCommand') await meanwhile(pack);
        return next(args);
      },
    { step: 'initialize' },
  );
  const isWritten = await contentBucket(stores.bucket, client).rewrite(pack, () => true);
  return { isWritten, bytes: await project.world.content.get(pack) };
}

describe('a pack', () => {
  test('that another run erased more of is left to the next run', async () => {
    const bytes = Buffer.from('less');
    const more = { bytes, contentType: 'application/octet-stream', cacheTag: '' };
    const { isWritten, bytes: found } = await rewriteWhile((key) =>
      contentBucket(stores.bucket).put({ key, ...more }),
    );
    expect({ isWritten, found: Buffer.from(found ?? []) }).toEqual({
      isWritten: false,
      found: bytes,
    });
  });

  test('that is removed meanwhile does not come back', async () => {
    expect(await rewriteWhile((key) => contentBucket(stores.bucket).deleteKeys([key]))).toEqual({
      isWritten: false,
      bytes: undefined,
    });
  });

  test('that is erased in keeps the headers that it was stored with', async () => {
    const project = await aProject();
    const [Key = ''] = (await project.packs()).keys();
    const head = () => stores.s3.send(new HeadObjectCommand({ Bucket: stores.bucket, Key }));
    const { ContentType, Metadata, ContentLength } = await head();
    await project.world.content.rewrite(Key, (bytes) => bytes.fill(0).length > 0);
    expect(await head()).toMatchObject({ ContentType, Metadata, ContentLength });
  });
});
