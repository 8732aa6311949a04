import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountRepository } from '../../adapters/account-repository.ts';
import { contentBucket } from '../../adapters/content-bucket.ts';
import { ownedProjectRepository } from '../../adapters/owned-project-repository.ts';
import { projectRepository } from '../../adapters/project-repository.ts';
import { siteDirectory } from '../../adapters/site-directory.ts';
import { uploadRepository } from '../../adapters/upload-repository.ts';
import {
  AccountId,
  type ExpiresIn,
  type ProjectId,
  Slug,
  type Tier,
} from '../../contract/fields.ts';
import { defaultPlans } from '../../contract/plans.ts';
import type { Account } from '../../core/accounts/account.ts';
import { contentHash, contentKey } from '../../core/content/content-keys.ts';
import { CodedError } from '../../core/errors.ts';
import type { ContentStore } from '../../core/ports.ts';
import { instant } from '../../core/instants.ts';
import { addresses } from '../../core/projects/addresses.ts';
import { claimProject } from '../../core/projects/claim-project.ts';
import { createProject } from '../../core/projects/create-project.ts';
import { deleteProject } from '../../core/projects/delete-project.ts';
import { publishTemp } from '../../core/projects/publish-temp.ts';
import { sweep } from '../../core/projects/sweep.ts';
import { tempLimits } from '../../core/projects/temp-limits.ts';
import { decodeManifest, placeIn } from '../../core/visit/manifest.ts';
import { failing, type Fault, FaultPlan, InjectedFault } from '../fixtures/faults.ts';
import { localStores, tables } from '../fixtures/local-stores.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
let content: ContentStore;
beforeAll(async () => {
  stores = await localStores();
  content = contentBucket(stores.bucket);
});
afterAll(() => stores.close());

const day = 86_400;
const operationCount = 1000;
const batchSize = 10;
/** The free plan runs out of projects, the next one of bytes, the last one of nothing. */
const tiers: readonly Tier[] = ['free', 'starter', 'starter', 'scale'];
const plans = {
  ...defaultPlans,
  starter: { ...defaultPlans.starter, maxProjects: 30, maxStorageBytes: 25_000 },
};
const where = addresses('http://localhost:8787', 'sites.localhost:8787');

const fault = fc.oneof(
  { weight: 18, arbitrary: fc.constant<Fault>('none') },
  { weight: 1, arbitrary: fc.constant<Fault>('before') },
  { weight: 1, arbitrary: fc.constant<Fault>('after') },
);
const common = {
  faults: fc.array(fault, { minLength: 20, maxLength: 20 }),
  /** Between a use case and its adapters, an adapter and its client, or a client and the database. */
  edge: fc.constantFrom('ports' as const, 'client' as const, 'wire' as const),
};
const owner = fc.nat(tiers.length - 1);
const sizes = fc.array(fc.nat(3000), { minLength: 1, maxLength: 3 });
const pick = fc.nat(5);

const operation = fc.oneof(
  {
    weight: 34,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      ...common,
      owner,
      sizes,
      address: fc.option(fc.nat(30), { nil: undefined }),
      expiresIn: fc.option(fc.constantFrom<ExpiresIn>('15m', '24h'), { nil: undefined }),
    }),
  },
  {
    weight: 25,
    arbitrary: fc.record({ kind: fc.constant('temp' as const), ...common, sizes }),
  },
  {
    weight: 22,
    arbitrary: fc.record({ kind: fc.constant('claim' as const), ...common, owner, pick }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), ...common, owner, pick }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('sweep' as const), ...common }) },
  {
    weight: 5,
    // Within a batch never so long that an upload would outlive its intent.
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ...common,
      seconds: fc.integer({ min: 1, max: 80 }),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;

const batches = fc.array(
  fc.record({
    operations: fc.array(operation, { minLength: batchSize, maxLength: batchSize }),
    thenSeconds: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(0, 1, 59, 60, 300) },
      { weight: 7, arbitrary: fc.constantFrom(840, 895, 899, 900, 901, day) },
      { weight: 1, arbitrary: fc.constant(38 * day) },
    ),
  }),
  { minLength: operationCount / batchSize, maxLength: operationCount / batchSize },
);

/** Accounts, a clock and everything that the operations of one run remember. */
class World {
  now = new Date('2026-03-01T12:00:00.000Z');
  readonly accountIds: AccountId[] = [];
  readonly tokens: string[] = [];
  /** When the edge was last told to forget a project. */
  readonly forgottenAt = new Map<ProjectId, number>();
  readonly deletedAt = new Map<ProjectId, number>();
  readonly outcomes: Record<string, number> = {};
  readonly surprises: unknown[] = [];
  injected = 0;

  async open(): Promise<this> {
    const accounts = accountRepository(stores.client, tables.accounts);
    for (const tier of tiers) {
      const id = AccountId.parse(randomUUID());
      const email = `${id}@example.org`;
      const sums = { projectCount: 0, storageBytes: 0 };
      const createdAt = instant(this.now);
      await accounts.create({ id, email, tier, trialEndsAt: null, ...sums, createdAt });
      this.accountIds.push(id);
    }
    return this;
  }

  advance(seconds: number): void {
    this.now = new Date(this.now.getTime() + seconds * 1000);
  }

  async run(operation: Operation): Promise<void> {
    const plan = new FaultPlan(operation.faults);
    try {
      await this.#perform(operation, this.deps(plan, operation.edge));
      this.#count(`${operation.kind} done`);
    } catch (error) {
      this.#count(`${operation.kind} ${error instanceof CodedError ? error.code : 'failed'}`);
      if (!isExpected(error)) this.surprises.push(error);
    }
    this.injected += plan.injected;
  }

  /** Everything a use case asks for, from the real adapters, which fail as planned. */
  deps(plan = new FaultPlan(['none']), edge: Operation['edge'] = 'ports') {
    const client = clientOf(plan, edge);
    const port = <T extends object>(one: T) => (edge === 'ports' ? failing(one, plan) : one);
    const forget = async (projectId: ProjectId) => {
      this.forgottenAt.set(projectId, this.now.getTime());
    };
    return {
      projects: port(projectRepository(client, tables)),
      owned: port(ownedProjectRepository(client, tables)),
      accounts: port(accountRepository(client, tables.accounts)),
      // Storage fails in both kinds: its adapter has its client for itself.
      content: failing(content, plan),
      edge: failing({ forget }, plan),
      counters: {
        count: async () => 1,
        take: async () => ({ taken: true as const, limits: [] }),
        giveBack: async () => undefined,
      },
      addresses: where,
      plans,
      brand: 'slipway',
      keptDays: 0,
      ...withoutUploads,
      limits: tempLimits({ perMinute: 3, perHour: 10 }),
      onFailure: (_: unknown, error: unknown) => {
        this.#count('left to the sweep');
        if (!isExpected(error)) this.surprises.push(error);
      },
      now: () => this.now,
    };
  }

  async caller(index: number) {
    const id = this.accountIds[index] as AccountId;
    const accounts = accountRepository(stores.client, tables.accounts);
    const account = (await accounts.get(id)) as Account;
    const key = { accountId: id, createdAt: account.createdAt, expiresAt: account.createdAt };
    return { address: '192.0.2.1', requestId: 'request', account, key };
  }

  async #perform(operation: Operation, deps: ReturnType<World['deps']>): Promise<void> {
    switch (operation.kind) {
      case 'create':
        return this.#create(operation, deps);
      case 'temp': {
        const caller = { address: '192.0.2.1', requestId: 'request' };
        const { claimToken } = await publishTemp(deps, caller, filesOf(operation.sizes));
        this.tokens.push(claimToken);
        return;
      }
      case 'claim': {
        const claimToken = this.tokens.at(-1 - operation.pick) ?? 'none yet';
        await claimProject(deps, await this.caller(operation.owner), { claimToken });
        return;
      }
      case 'delete':
        return this.#delete(operation, deps);
      case 'sweep':
        await sweep(deps, this.now, () => false);
        return;
      case 'wait':
        this.advance(operation.seconds);
    }
  }

  async #create(
    { owner, sizes, address, expiresIn }: Of<'create'>,
    deps: ReturnType<World['deps']>,
  ) {
    const slug = address === undefined ? undefined : Slug.parse(`wanted-${address}`);
    const title = `Title ${sizes.length}`;
    const input = { ...filesOf(sizes), title, slug, expiresIn, access: 'public' as const };
    await createProject(deps, await this.caller(owner), input);
  }

  async #delete({ owner, pick }: Of<'delete'>, deps: ReturnType<World['deps']>) {
    const caller = await this.caller(owner);
    const query = { accountId: caller.account.id, archived: 'all', limit: 6, offset: 0 } as const;
    const listed = await ownedProjectRepository(stores.client, tables).list(query);
    const chosen = listed[pick % Math.max(1, listed.length)];
    if (chosen === undefined) return;
    await deleteProject(deps, caller, { projectId: chosen.id });
    this.deletedAt.set(chosen.id, this.now.getTime());
  }

  #count(outcome: string): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }
}

/** Large uploads have tests of their own. */
const withoutUploads = {
  uploads: uploadRepository(undefined as never, 'none'),
  area: { remove: async () => undefined } as never,
  jobs: { send: async () => undefined },
  resumeUpload: async () => false,
};

/** On the wire, an answer that is lost makes the client itself send the request again. */
function clientOf(plan: FaultPlan, edge: Operation['edge']): DynamoDBDocumentClient {
  if (edge === 'client') return failing(stores.client, plan);
  return edge === 'wire' ? stores.clientOver((wire) => failing(wire, plan)) : stores.client;
}

function filesOf(sizes: number[]) {
  const contentType = 'text/plain';
  const files = sizes.map((size, index) => ({
    name: `file-${index}.txt`,
    contentType,
    bytes: Buffer.alloc(size, `${size}/`),
  }));
  return { files };
}

/** A refusal, or what was injected; anything else is a fault of the program. */
function isExpected(error: unknown): boolean {
  if (error instanceof InjectedFault) return true;
  if (!(error instanceof CodedError)) return false;
  return error.code !== 'UPLOAD_FAILED' || error.cause instanceof InjectedFault;
}

/** Nothing is under way: sums equal the recount, within the plan, and what is published is whole. */
async function checkSums(world: World): Promise<void> {
  const { accounts = [], projects = [] } = await stores.rows();
  const objects = await stores.objects();
  for (const [index, id] of world.accountIds.entries()) {
    const tier = tiers[index] as Tier;
    const { projectCount, storageBytes } = accounts.find((row) => row['id'] === id) ?? {};
    const active = projects.filter(
      (row) => row['ownerId'] === id && !row['removingAt'] && !row['archivedAt'],
    );
    const rowBytes = sum(active.map((row) => row['bytes']));
    const stored = [...objects].filter(([key]) => active.some((row) => key.includes(row['id'])));
    const storedBytes = sum(stored.map(([, size]) => size));
    expect({ tier, projectCount, storageBytes, storedBytes }).toEqual({
      tier,
      projectCount: active.length,
      storageBytes: rowBytes,
      storedBytes: rowBytes,
    });
    const { maxProjects, maxStorageBytes } = plans[tier];
    if (maxProjects !== -1) expect(projectCount).toBeLessThanOrEqual(maxProjects);
    expect(storageBytes).toBeLessThanOrEqual(maxStorageBytes);
  }
}

/** Every row and every object belongs to a project that is not being removed. */
async function checkNoOrphans(): Promise<void> {
  const { projects = [], sites = [] } = await stores.rows();
  const live = projects.filter((row) => row['sk'] === 'META' && !row['removingAt']);
  const ids = new Set(live.map((row) => row['id']));
  const orphanRows = projects.filter((row) => {
    const id = row['sk'] === 'CLAIM' ? row['projectId'] : row['pk'].replace('PROJECT#', '');
    return !ids.has(id) || /^(?:INTENT|PURGE)/.test(row['sk']);
  });
  const orphanObjects = [...(await stores.objects()).keys()].filter(
    (key) => !ids.has(key.split('/')[1]),
  );
  const hostsOf = (rows: Record<string, any>[], id: string) =>
    rows.map((row) => `${row['host']} ${row[id]}`).toSorted();
  expect({ orphanRows, orphanObjects }).toEqual({ orphanRows: [], orphanObjects: [] });
  expect(hostsOf(sites, 'projectId')).toEqual(hostsOf(live, 'id'));
}

/** Every file of every published host is there, byte for byte. */
async function checkServing(): Promise<number> {
  const { sites = [] } = await stores.rows();
  const directory = siteDirectory(stores.client, tables.sites);
  for (const { host } of sites) {
    const site = await directory.get(host);
    if (site?.manifest === undefined) throw new Error(`${host} has no manifest`);
    for (const [path, entry] of decodeManifest(site.manifest)) {
      const { size, hash } = entry;
      const place = placeIn(site.store, path, entry);
      const bytes = await content.get(contentKey(site.projectId, place));
      const found = bytes && { size: bytes.length, hash: contentHash(bytes) };
      expect({ host, path, found }).toEqual({ host, path, found: { size, hash } });
    }
  }
  return sites.length;
}

/** Sweeps without failures until nothing is due. */
async function settle(world: World): Promise<void> {
  for (let round = 1; round <= 10; round += 1) {
    const { failures, ...done } = await sweep(world.deps(), world.now, () => false);
    expect(failures).toBe(0);
    if (sum(Object.values(done)) === 0) return;
  }
  throw new Error('ten sweeps left something due');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

test('after a thousand operations with failures at every edge, sums equal a recount and nothing is orphaned', async () => {
  const property = fc.asyncProperty(batches, async (plannedBatches) => {
    const world = await new World().open();
    for (const [index, { operations, thenSeconds }] of plannedBatches.entries()) {
      await Promise.all(operations.map((one) => world.run(one)));
      if (index % 20 === 19) await checkSums(world);
      world.advance(thenSeconds);
    }
    await checkSums(world);
    // Uploads and temporary projects end after a quarter of an hour, purges after a minute.
    for (const seconds of [0, 1000, 400 * day]) {
      world.advance(seconds);
      await settle(world);
      await checkSums(world);
      await checkServing();
      if (seconds > 0) await checkNoOrphans();
    }
    expect(world.surprises).toEqual([]);
    for (const [id, at] of world.deletedAt) {
      expect(world.forgottenAt.get(id)).toBeGreaterThanOrEqual(at + 60_000);
    }
    expect(world.injected).toBeGreaterThan(100);
    for (const kind of ['create', 'temp', 'claim', 'delete', 'sweep']) {
      expect(world.outcomes[`${kind} done`]).toBeGreaterThan(5);
    }
  });
  await fc.assert(property, { numRuns: 1, endOnFailure: true });
}, 120_000);
