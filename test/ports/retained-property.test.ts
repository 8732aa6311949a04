import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentItems } from '../../adapters/dynamodb/document-client.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import { CodedError } from '../../core/errors.ts';
import { createProject } from '../../core/projects/publishing/create-project.ts';
import { sweep } from '../../core/projects/removal/sweep.ts';
import { updateProjectSettings } from '../../core/projects/settings/update-project.ts';
import { replaceProjectFiles } from '../../core/projects/versions/replace-files.ts';
import { retainedSeconds } from '../../core/projects/versions/retain-assets.ts';
import { rollBackProject } from '../../core/projects/versions/roll-back.ts';
import { contentMemory } from '../../core/visit/content-memory.ts';
import { filePlace, readFilePlace } from '../../core/visit/file-place.ts';
import { loadContent } from '../../core/visit/manifest.ts';
import { withRetainedAsset } from '../../core/visit/retained-assets.ts';
import { localStores, tables } from '../fixtures/clouds/local-stores.ts';
import { proofSize } from '../fixtures/proof-size.ts';
import { readProjects, settle, strayObjects } from '../fixtures/quota/checks.ts';
import { type LocalStores, World } from '../fixtures/quota/world.ts';
import { inTurns } from '../fixtures/turns.ts';

let stores: LocalStores;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const hour = 3600;
const day = 24 * hour;

/** A push of some shared assets and one of its own, or a rollback by so many versions. */
const liveSwitch = fc.oneof(
  fc.record({ shared: fc.subarray([1, 2, 3]) }),
  fc.record({ back: fc.integer({ min: 1, max: 2 }) }),
);
const round = fc.record({
  switches: fc.array(liveSwitch, { minLength: 1, maxLength: 2 }),
  sweeps: fc.boolean(),
  /** Closes and opens the project afterwards. */
  changesAccess: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
  thenSeconds: fc.constantFrom(0, 60, 3 * hour, day, 3 * day, retainedSeconds),
});
/** Accounts of the world: one version is kept, three, or all. */
const owner = fc.constantFrom(0, 1, 3);

/** A name with letters, digits and capitals, so that it is taken for a hash. */
const assetOf = (text: string) =>
  `assets/part-B1c${createHash('sha256').update(text).digest('hex').slice(0, 5)}.js`;

class Site {
  readonly world: World;
  readonly owner: number;
  id = '';
  #host = '';
  #pushes = 0;
  /** When each asset ends that is not live; texts of assets by version. */
  readonly until = new Map<string, number>();
  readonly versions = new Map<number, string[]>();
  live = 1;

  constructor(world: World, owner: number) {
    this.world = world;
    this.owner = owner;
  }

  /** The texts of a push: one that no other version has, and those that it shares. */
  texts(shared: readonly number[]): string[] {
    this.#pushes += 1;
    return [`${this.owner} push ${this.#pushes}`, ...shared.map((one) => `shared ${one}`)];
  }

  files(texts: readonly string[]) {
    return [
      { name: 'index.html', contentType: '', bytes: Buffer.from(`<h1>${texts.join()}`) },
      ...texts.map((text) => ({
        name: assetOf(text),
        contentType: '',
        bytes: Buffer.from(text),
      })),
    ];
  }

  async create(): Promise<void> {
    const { world } = this;
    const texts = this.texts([1]);
    const input = { title: 'T', access: 'public' as const, files: this.files(texts) };
    const { projectId, url } = await createProject(
      world.deps(),
      await world.caller(this.owner),
      input,
    );
    this.id = projectId;
    this.#host = new URL(url).hostname;
    this.versions.set(1, texts);
  }

  /** All assets that a visitor must reach now. */
  reachable(): string[] {
    const now = this.world.now.getTime();
    const before = [...this.until].filter(([, end]) => end > now).map(([text]) => text);
    return [...new Set([...(this.versions.get(this.live) ?? []), ...before])];
  }

  /** What a visitor gets, as the gate does it: the row, the lists, the object. */
  async visit(text: string, turn: Turn): Promise<string> {
    const { client } = this.world.stores;
    const content = turn(this.world.content);
    const site = await turn(siteDirectory(documentItems(client), tables.sites)).get(this.#host);
    if (site === undefined) return 'no site';
    const deps = { content, contents: contentMemory() };
    const loaded = await loadContent(deps, site);
    if (loaded === undefined) return 'no list of files';
    const path = assetOf(text);
    const found = { site, files: loaded.files };
    const entry = (await withRetainedAsset(deps, found, `/${path}`, this.world.now)).get(path);
    if (entry === undefined) return 'no such asset';
    const bytes = await readFilePlace(content, filePlace(site, path, entry));
    return bytes === undefined ? 'no object' : Buffer.from(bytes).toString();
  }

  /** Makes another version live; which one is found out afterwards. */
  async switch(change: { shared: number[] } | { back: number }, turn: Turn): Promise<void> {
    const { world, id: projectId } = this;
    const deps = this.deps(turn);
    const caller = await world.caller(this.owner);
    if ('back' in change) {
      const version = this.live - change.back;
      const { deploymentId } = await rollBackProject(deps, caller, { projectId, version });
      this.note(Number(deploymentId.slice('dep_v'.length)));
      return;
    }
    const texts = this.texts(change.shared);
    const pushed = await replaceProjectFiles(deps, caller, { projectId, files: this.files(texts) });
    const version = Number(pushed.deploymentId.slice('dep_v'.length));
    this.versions.set(version, texts);
    this.note(version);
  }

  /** Everything that a switch touches may leave in this round: its assets begin their time anew. */
  note(version: number): void {
    for (const one of [version, this.live]) {
      for (const text of this.versions.get(one) ?? []) {
        this.until.set(text, this.world.now.getTime() + retainedSeconds * 1000);
      }
    }
  }

  deps(turn: Turn) {
    const deps = this.world.deps();
    const { projects, owned, content } = deps;
    return { ...deps, projects: turn(projects), owned: turn(owned), content: turn(content) };
  }

  /** After a round: which version is live now. */
  async settleLive(): Promise<void> {
    const all = await readProjects(this.world);
    this.live = all.find(({ project }) => project['id'] === this.id)?.project['version'];
  }

  async changeAccess(): Promise<void> {
    const { world, id: projectId } = this;
    const caller = await world.caller(this.owner);
    for (const access of ['private', 'public'] as const) {
      await updateProjectSettings(world.deps(), caller, { projectId, access });
    }
    this.until.clear();
  }
}

type Turn = <T extends object>(port: T) => T;
const atOnce: Turn = (port) => port;

/** A rollback to a version that is gone, or a race that somebody else won. */
const refused = (error: unknown) => {
  if (!(error instanceof CodedError)) throw error;
};

test('while versions are pushed, rolled back and removed, an asset stays reachable for seven days, and nothing stays behind (habit 6)', async () => {
  let visits = 0;
  const size = proofSize({ short: 8, whole: 16 });
  const rounds = fc.array(round, { minLength: size, maxLength: size });
  const property = fc.asyncProperty(owner, rounds, fc.scheduler(), async (index, plan, order) => {
    const world = await new World(stores).open();
    const site = new Site(world, index);
    await site.create();
    const turn: Turn = (port) => inTurns(port, order);
    for (const { switches, sweeps, changesAccess, thenSeconds } of plan) {
      const expected = site.reachable();
      const visitors = expected.map(async (text) => {
        visits += 1;
        expect(await site.visit(text, turn)).toBe(text);
      });
      const work = switches.map((one) => site.switch(one, turn).catch(refused));
      const sweeping = sweeps ? [sweep(site.deps(turn), world.now, () => 60_000)] : [];
      await order.waitFor(Promise.all([...visitors, ...work, ...sweeping]));
      await site.settleLive();
      if (changesAccess) await site.changeAccess();
      for (const text of site.reachable()) expect(await site.visit(text, atOnce)).toBe(text);
      world.advance(thenSeconds);
    }
    for (const [text, end] of site.until) {
      if (end > world.now.getTime() || site.versions.get(site.live)?.includes(text)) continue;
      expect([text, await site.visit(text, atOnce)]).toEqual([text, 'no such asset']);
    }
    world.advance(retainedSeconds + 3 * hour);
    await settle(world);
    expect(world.surprises).toEqual([]);
    await expectNothingLeft(world, site.id);
  });
  await fc.assert(property, {
    numRuns: proofSize({ short: 2, whole: 10 }),
    endOnFailure: true,
    // The seed repeats a failed run; its hundreds of calls would hide the reason.
    asyncReporter: async ({ failed, seed, errorInstance: cause }) => {
      if (failed) throw new Error(`failed with the seed ${seed}`, { cause });
    },
  });
  expect(visits).toBeGreaterThan(20);
}, 900_000);

test('an asset that ended before its seven days leaves storage within a day', async () => {
  const world = await new World(stores).open();
  const site = new Site(world, 0);
  await site.create();
  // This account keeps one version, so the first one is dropped.
  await site.switch({ shared: [] }, atOnce);
  world.advance(3 * hour);
  await settle(world);
  const dropped = async () =>
    (await readProjects(world)).find(({ project }) => project['id'] === site.id)?.dropped.length;
  expect(await dropped()).toBe(1);
  await site.changeAccess();
  world.advance(day);
  await settle(world);
  expect(await dropped()).toBe(0);
  await expectNothingLeft(world, site.id);
}, 60_000);

/** Only files and manifests of kept versions stay, and the last lists of retained assets. */
async function expectNothingLeft(world: World, id: string): Promise<void> {
  const found = (await readProjects(world)).find(({ project }) => project['id'] === id);
  expect(found?.dropped).toEqual([]);
  const lists: string[] = found?.project['retainedLists'] ?? [];
  expect(lists.length).toBeLessThanOrEqual(3);
  const last = lists.map((list) => `content/${id}/${list.replace('/', '/manifest/')}`);
  const stray = await strayObjects(world, id);
  expect(stray.filter((key) => !last.includes(key))).toEqual([]);
}
