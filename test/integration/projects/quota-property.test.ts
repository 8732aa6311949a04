import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accountHistory } from '../../../adapters/dynamodb/accounts/account-history.ts';
import { accountRepository } from '../../../adapters/dynamodb/accounts/account-repository.ts';
import { contentBucket } from '../../../adapters/s3/content-bucket.ts';
import { hitTable } from '../../../adapters/dynamodb/hits/hit-table.ts';
import { documentItems } from '../../../adapters/dynamodb/document-client.ts';
import { ownedProjectRepository } from '../../../adapters/dynamodb/projects/owned-project-repository.ts';
import { projectRepository } from '../../../adapters/dynamodb/projects/project-repository.ts';
import { siteDirectory } from '../../../adapters/dynamodb/projects/site-directory.ts';
import { uploadArea } from '../../../adapters/s3/upload-area.ts';
import { uploadRepository } from '../../../adapters/dynamodb/uploads/upload-repository.ts';
import {
  AccountId,
  type ExpiresIn,
  type ProjectId,
  Slug,
  type Tier,
} from '../../../contract/fields.ts';
import { defaultPlans } from '../../../contract/plans.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { contentHash, contentKey } from '../../../core/content/content-keys.ts';
import { CodedError } from '../../../core/errors.ts';
import type { ContentStore } from '../../../core/ports.ts';
import { instant } from '../../../core/instants.ts';
import { addresses } from '../../../core/projects/addresses/addresses.ts';
import {
  archiveProject,
  unarchiveProject,
} from '../../../core/projects/settings/archive-project.ts';
import type { PlanCheckTime } from '../../../core/projects/history/account-history.ts';
import { settlePlanTime } from '../../../core/projects/history/check-plan.ts';
import { claimProject } from '../../../core/projects/claims/claim-project.ts';
import { createProject } from '../../../core/projects/publishing/create-project.ts';
import { deleteProject } from '../../../core/projects/removal/delete-project.ts';
import { resumeTrim } from '../../../core/projects/history/hold-history.ts';
import { publishTemp } from '../../../core/projects/publishing/publish-temp.ts';
import { publishUpload, resumeUpload } from '../../../core/projects/publishing/publish-upload.ts';
import { replaceFiles } from '../../../core/projects/versions/replace-files.ts';
import { rollBack } from '../../../core/projects/versions/roll-back.ts';
import { sweep } from '../../../core/projects/removal/sweep.ts';
import { tempLimits } from '../../../core/projects/publishing/temp-limits.ts';
import { updateFiles } from '../../../core/projects/versions/update-files.ts';
import { updateProject } from '../../../core/projects/settings/update-project.ts';
import { beginUpload } from '../../../core/uploads/begin-upload.ts';
import type { JobKey } from '../../../core/uploads/job.ts';
import type { AnnouncedFile, UploadId } from '../../../core/uploads/upload.ts';
import { decodeManifest, placeIn } from '../../../core/visit/manifest.ts';
import { failing, type Fault, FaultPlan, InjectedFault } from '../../fixtures/clouds/faults.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';

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
  free: { ...defaultPlans.free, maxFilesPerProject: -1 },
  starter: { ...defaultPlans.starter, maxProjects: 30, maxStorageBytes: 25_000, versionsKept: 3 },
  scale: { ...defaultPlans.scale, versionsKept: -1 },
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
/** Some sizes come often: a file's content is its size, and what comes again is not stored again. */
const size = fc.oneof(fc.nat(3000), fc.constantFrom(100, 200, 300));
const sizes = fc.array(size, { minLength: 1, maxLength: 3 });
const pick = fc.nat(5);
const ofOne = { ...common, owner, pick };

const operation = fc.oneof(
  {
    weight: 22,
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
    weight: 14,
    arbitrary: fc.record({ kind: fc.constant('temp' as const), ...common, sizes }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('claim' as const), ...ofOne }) },
  {
    weight: 22,
    arbitrary: fc.record({
      kind: fc.constant('push' as const),
      ...ofOne,
      sizes,
      folder: fc.constantFrom('', '', 'moved/'),
    }),
  },
  {
    weight: 18,
    arbitrary: fc.record({
      kind: fc.constant('merge' as const),
      ...ofOne,
      sizes: fc.array(size, { maxLength: 2 }),
      folder: fc.constantFrom('', 'moved/', 'new/'),
      // What is not there is refused.
      leaving: fc.subarray(['file-0.txt', 'file-2.txt', 'moved/file-1.txt'], { maxLength: 1 }),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({ kind: fc.constant('rollback' as const), ...ofOne, back: fc.nat(3) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('archive' as const), ...ofOne }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('unarchive' as const), ...ofOne }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('move' as const), ...ofOne, address: fc.nat(30) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      ...ofOne,
      keptDays: fc.constantFrom(0, 30),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('upload' as const),
      ...ofOne,
      sizes,
      // As many files as only a worker publishes.
      isLarge: fc.boolean(),
      use: fc.constantFrom('create', 'push', 'nothing'),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('work' as const), ...common }) },
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
const kinds = [
  'create',
  'temp',
  'claim',
  'push',
  'merge',
  'rollback',
  'archive',
  'unarchive',
  'move',
  'delete',
  'upload',
  'work',
  'sweep',
];
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
/** What is done to a project that an account has. */
const changing = [
  'upload',
  'push',
  'merge',
  'rollback',
  'archive',
  'unarchive',
  'move',
  'delete',
] as const;
type Changing = (typeof changing)[number];
const isChanging = (operation: Operation): operation is Of<Changing> =>
  changing.some((kind) => kind === operation.kind);
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
  /** When visitors' view of a project surely changed last. */
  readonly changedAt = new Map<ProjectId, number>();
  /** What the queue holds. */
  readonly jobs: JobKey[] = [];
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
      if (!isExpected(error)) this.surprises.push(reasonOf(error));
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
    const area = uploadArea(stores.bucket);
    const unsure = failing(area, plan);
    const deps = {
      projects: port(projectRepository(client, tables)),
      owned: port(ownedProjectRepository(client, tables)),
      accounts: port(accountRepository(client, tables.accounts)),
      history: port(accountHistory(client, tables)),
      // Storage fails in both kinds: its adapter has its client for itself.
      content: failing(content, plan),
      hits: port(hitTable(client, tables.analytics)),
      edge: failing({ forget, forgetStragglers: forget }, plan),
      counters: {
        count: async () => 1,
        take: async () => ({ taken: true as const, limits: [] }),
        giveBack: async () => undefined,
      },
      addresses: where,
      plans,
      planMailer: failing({ sendPlanNotice: async () => undefined }, plan),
      brand: 'slipway',
      uploads: port(uploadRepository(client, tables)),
      // Nothing is sent by a URL here, and real time is not the world's.
      area: {
        ...area,
        open: (id: UploadId, files: readonly AnnouncedFile[]) =>
          area.open(id, files, new Date(Date.now() + 3_600_000)),
        list: (id: UploadId) => unsure.list(id),
        arrived: (id: UploadId) => unsure.arrived(id),
        remove: (id: UploadId) => unsure.remove(id),
      },
      jobs: failing({ send: async (job: JobKey) => void this.jobs.push(job) }, plan),
      maxParts: 2000,
      limits: tempLimits({ perMinute: 3, perHour: 10 }),
      tempLimits: tempLimits({ perMinute: 3, perHour: 10 }),
      onFailure: (_: unknown, error: unknown) => {
        this.#count('left to the sweep');
        if (!isExpected(error)) this.surprises.push(reasonOf(error));
      },
      now: () => this.now,
    };
    return {
      ...deps,
      resumeUpload: (key: JobKey, now: Date) => resumeUpload(deps, key, now),
      settlePlanTime: (time: PlanCheckTime, now: Date) => settlePlanTime(deps, time, now),
      resumeTrim: (id: AccountId, now: Date) => resumeTrim(deps, id, now),
    };
  }

  /** Workers do what the queue holds. */
  async work(): Promise<void> {
    for (const job of this.jobs.splice(0)) await publishUpload(this.deps(), job);
  }

  async caller(index: number) {
    const id = this.accountIds[index] as AccountId;
    const accounts = accountRepository(stores.client, tables.accounts);
    const account = (await accounts.get(id)) as Account;
    const key = { accountId: id, createdAt: account.createdAt, expiresAt: account.createdAt };
    return { address: '192.0.2.1', requestId: 'request', account, key };
  }

  async #perform(operation: Operation, deps: ReturnType<World['deps']>): Promise<void> {
    if (isChanging(operation)) return this.#change(operation, deps);
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
      case 'sweep':
        await sweep(deps, this.now, () => false);
        return;
      case 'work': {
        const job = this.jobs.shift();
        if (job !== undefined) await publishUpload(deps, job);
        return;
      }
      case 'wait':
        return this.advance(operation.seconds);
    }
  }

  async #change(operation: Of<Changing>, deps: ReturnType<World['deps']>): Promise<void> {
    switch (operation.kind) {
      case 'push':
        return this.#push(operation, deps);
      case 'merge':
        return this.#merge(operation, deps);
      case 'rollback':
        return this.#rollBack(operation, deps);
      case 'archive':
      case 'unarchive':
        return this.#putAway(operation, deps);
      case 'move':
        return this.#move(operation, deps);
      case 'delete':
        return this.#delete(operation, deps);
      case 'upload':
        return this.#upload(operation, deps);
    }
  }

  /** Bytes arrive in storage, and become a project, a version, or nothing. */
  async #upload(operation: Of<'upload'>, deps: ReturnType<World['deps']>) {
    const caller = await this.caller(operation.owner);
    const { files } = filesOf(operation.isLarge ? oneByteEach : operation.sizes);
    const announced = files.map(({ name, bytes }) => ({ path: name, size: bytes.length }));
    const { uploadId } = await beginUpload(deps, caller, { files: announced });
    await Promise.all(
      files.map(({ bytes }, index) => {
        const key = `temp/${uploadId}/part-${index}`;
        return content.put({ key, bytes, contentType: 'text/plain', cacheTag: '' });
      }),
    );
    if (operation.use === 'create') {
      await createProject(deps, caller, { title: 'Up', access: 'public', files: [], uploadId });
    }
    const found = operation.use === 'push' ? await this.#choose(operation) : undefined;
    if (found === undefined) return;
    await replaceFiles(deps, caller, { projectId: found.project.id, files: [], uploadId });
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

  async #push(operation: Of<'push'>, deps: ReturnType<World['deps']>) {
    const found = await this.#choose(operation);
    if (found === undefined) return;
    const { caller, project } = found;
    const files = filesOf(operation.sizes, operation.folder);
    const { deploymentId } = await replaceFiles(deps, caller, { ...files, projectId: project.id });
    if (Number(deploymentId.slice('dep_v'.length)) > project.lastVersion) this.#changed(project);
  }

  async #merge(operation: Of<'merge'>, deps: ReturnType<World['deps']>) {
    const found = await this.#choose(operation);
    if (found === undefined) return;
    const { caller, project } = found;
    const { files } = filesOf(operation.sizes, operation.folder);
    const input = { projectId: project.id, files, delete: operation.leaving };
    const { version } = await updateFiles(deps, caller, { ...input, mode: 'merge' });
    if (version > project.lastVersion) this.#changed(project);
  }

  async #rollBack(operation: Of<'rollback'>, deps: ReturnType<World['deps']>) {
    const found = await this.#choose(operation);
    if (found === undefined) return;
    const { caller, project } = found;
    const version = Math.max(1, project.version - operation.back);
    await rollBack(deps, caller, { projectId: project.id, version });
  }

  async #putAway(operation: Of<'archive' | 'unarchive'>, deps: ReturnType<World['deps']>) {
    const change = operation.kind === 'archive' ? archiveProject : unarchiveProject;
    const found = await this.#choose(operation, operation.kind === 'archive' ? 'false' : 'true');
    if (found === undefined) return;
    await change(deps, found.caller, { projectId: found.project.id });
  }

  async #move(operation: Of<'move'>, deps: ReturnType<World['deps']>) {
    const found = await this.#choose(operation);
    if (found === undefined) return;
    const slug = Slug.parse(`wanted-${operation.address}`);
    await updateProject(deps, found.caller, { projectId: found.project.id, slug });
  }

  async #delete(operation: Of<'delete'>, deps: ReturnType<World['deps']>) {
    const found = await this.#choose(operation);
    if (found === undefined) return;
    const { keptDays } = operation;
    const { caller, project } = found;
    await deleteProject({ ...deps, keptDays }, caller, { projectId: project.id });
    this.#changed(project);
  }

  /** One of the newest projects of an account. */
  async #choose(
    { owner, pick }: { owner: number; pick: number },
    archived: 'true' | 'false' | 'all' = 'all',
  ) {
    const caller = await this.caller(owner);
    const query = { accountId: caller.account.id, archived, limit: 6, offset: 0 } as const;
    const listed = await ownedProjectRepository(stores.client, tables).list(query);
    const project = listed[pick % Math.max(1, listed.length)];
    if (project === undefined) this.#count('nothing to choose');
    return project === undefined ? undefined : { caller, project };
  }

  #changed({ id }: { id: ProjectId }): void {
    this.changedAt.set(id, this.now.getTime());
  }

  #count(outcome: string): void {
    this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
  }
}

const oneByteEach = Array.from({ length: 201 }, () => 1);

/** On the wire, an answer that is lost makes the client itself send the request again. */
function clientOf(plan: FaultPlan, edge: Operation['edge']): DynamoDBDocumentClient {
  if (edge === 'client') return failing(stores.client, plan);
  return edge === 'wire' ? stores.clientOver((wire) => failing(wire, plan)) : stores.client;
}

function filesOf(sizes: number[], folder = '') {
  const contentType = 'text/plain';
  const files = sizes.map((size, index) => ({
    name: `${folder}file-${index}.txt`,
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

type Row = Record<string, any>;

/** A project's own row with its versions, and those whose files are still to go. */
async function readProjects() {
  const { projects = [] } = await stores.rows();
  const of = (pk: string, kind: string) =>
    projects.filter((row) => row['pk'] === pk && row['sk'].startsWith(`${kind}#`));
  return projects
    .filter((row) => row['sk'] === 'META')
    .map((project) => ({
      project,
      kept: of(project['pk'], 'VERSION'),
      dropped: of(project['pk'], 'DROP'),
    }));
}

/** Every file of a version: its key in storage, its size and its hash. */
function filesIn({ id }: Row, version: Row) {
  return [...decodeManifest(Buffer.from(version['manifest'], 'base64'))].map(([path, entry]) => {
    const { size, hash } = entry;
    return { key: contentKey(id, placeIn(version['store'], path, entry)), size, hash };
  });
}

function reasonOf(error: unknown): unknown {
  return error instanceof CodedError && error.cause !== undefined ? error.cause : error;
}

/** Bytes of each version that an account's project keeps beside the live one, archived or not. */
function earlierOf({ project, kept }: { project: Row; kept: Row[] }, ownerId: string): number[] {
  if (project['ownerId'] !== ownerId || project['removingAt']) return [];
  const earlier = kept.filter((row) => row['version'] !== project['version']);
  return earlier.map((row) => row['bytes']);
}

/** Nothing is under way: sums equal the recount, and they and the history are within the plan. */
async function checkSums(world: World): Promise<void> {
  const { accounts = [], projects = [] } = await stores.rows();
  const all = await readProjects();
  for (const [index, id] of world.accountIds.entries()) {
    const tier = tiers[index] as Tier;
    const { maxProjects, maxStorageBytes, versionsKept } = plans[tier];
    const row = accounts.find((one) => one['id'] === id) ?? {};
    const { projectCount, storageBytes, stagedBytes, earlierBytes } = row;
    expect(earlierBytes ?? 0).toBe(sum(all.flatMap((one) => earlierOf(one, id))));
    const staged = projects.filter((row) => row['sk'] === 'UPLOAD' && row['accountId'] === id);
    expect(stagedBytes ?? 0).toBe(sum(staged.map((row) => row['stagedBytes'] ?? 0)));
    const isEnded = ({ state }: Row) => !['waiting', 'publishing'].includes(state);
    expect(staged.filter((row) => isEnded(row) && row['stagedBytes'] !== undefined)).toEqual([]);
    expect(stagedBytes ?? 0).toBeLessThanOrEqual(maxStorageBytes);
    const active = all.filter(
      ({ project }) =>
        project['ownerId'] === id && !project['removingAt'] && !project['archivedAt'],
    );
    const live = active.map(({ project, kept }) => {
      // What a worker is still to publish counts as it was announced.
      if (project['version'] === 0) return project['bytes'];
      const version = kept.find((row) => row['version'] === project['version']) as Row;
      return sum(filesIn(project, version).map(({ size }) => size));
    });
    const rowBytes = sum(active.map(({ project }) => project['bytes']));
    expect({ tier, projectCount, storageBytes, rowBytes }).toEqual({
      tier,
      projectCount: active.length,
      storageBytes: sum(live),
      rowBytes: sum(live),
    });
    if (maxProjects !== -1) expect(projectCount).toBeLessThanOrEqual(maxProjects);
    expect(storageBytes).toBeLessThanOrEqual(maxStorageBytes);
    if (versionsKept === -1) continue;
    for (const { kept } of active) expect(kept.length).toBeLessThanOrEqual(versionsKept);
  }
}

/** Every file of every kept version is there, byte for byte: it can be rolled back to at any time. */
async function checkVersions({ now }: World): Promise<number> {
  let versions = 0;
  const hashes = new Map<string, Promise<string | undefined>>();
  const read = async (key: string) => {
    const bytes = await content.get(key);
    return bytes && `${bytes.length} ${contentHash(bytes)}`;
  };
  const hashOf = (key: string) => {
    const hash = hashes.get(key) ?? read(key);
    hashes.set(key, hash);
    return hash;
  };
  for (const { project, kept } of await readProjects()) {
    // Its removal may have begun, and go on with the next sweep.
    if (project['removingAt'] && project['dueAt'] <= now.toISOString()) continue;
    if (project['version'] === 0) continue;
    expect(kept.map((row) => row['version'])).toContain(project['version']);
    for (const version of kept) {
      versions += 1;
      for (const { key, size, hash } of filesIn(project, version)) {
        expect([key, await hashOf(key)]).toEqual([key, `${size} ${hash}`]);
      }
    }
  }
  return versions;
}

/** Every row and object belongs to a project, live or kept after its deletion, and to one of its versions. */
async function checkNoOrphans(unfinished: RegExp): Promise<void> {
  const { projects = [], sites = [] } = await stores.rows();
  const all = await readProjects();
  const ids = new Set(all.map(({ project }) => project['id']));
  const jobs = projects.filter((row) => row['job'] !== undefined && !unfinished.test('JOB'));
  const waiting = projects.filter((row) => row['sk'] === 'UPLOAD');
  const isUnderWay = (key: string) =>
    jobs.some((row) => key.startsWith(`content/${row['projectId']}/${row['store']}/`)) ||
    waiting.some((row) => key.startsWith(`temp/${row['uploadId']}/`));
  const orphanRows = projects.filter((row) => {
    if (row['sk'] === 'UPLOAD') return unfinished.test('UPLOAD');
    if (jobs.includes(row)) return false;
    const id = row['sk'] === 'CLAIM' ? row['projectId'] : row['pk'].replace('PROJECT#', '');
    return !ids.has(id) || unfinished.test(row['sk']);
  });
  const owned = new Set(
    all.flatMap(({ project, kept, dropped }) =>
      [...kept, ...dropped].flatMap((version) => filesIn(project, version).map(({ key }) => key)),
    ),
  );
  const orphanObjects = [...(await stores.objects()).keys()].filter(
    (key) => !owned.has(key) && !isUnderWay(key),
  );
  expect({ orphanRows, orphanObjects }).toEqual({ orphanRows: [], orphanObjects: [] });

  const live = all.filter(({ project }) => !project['removingAt']);
  const shown = (row: Row, id: string) => `${row['host']} ${row[id]} ${row['version'] ?? 0}`;
  const held = sites.filter((row) => row['projectId'] === undefined);
  expect(held.filter((row) => row['heldUntil'] === undefined)).toEqual([]);
  expect(
    sites
      .filter((row) => !held.includes(row))
      .map((row) => shown(row, 'projectId'))
      .toSorted(),
  ).toEqual(live.map(({ project }) => shown(project, 'id')).toSorted());
}

/** What visitors are shown is the live version of each project, from the same store. */
async function checkServing(): Promise<void> {
  const directory = siteDirectory(documentItems(stores.client), tables.sites);
  for (const { project, kept } of await readProjects()) {
    if (project['removingAt'] || project['version'] === 0) continue;
    const site = await directory.get(project['host']);
    const live = kept.find((row) => row['version'] === project['version']);
    const manifest = Buffer.from(site?.manifest ?? '').toString('base64');
    const { version, store } = live ?? {};
    expect({ ...site, manifest }).toMatchObject({ version, store, manifest: live?.['manifest'] });
  }
}

/** Sweeps without failures until nothing is due, nor a purge after what the last sweep did. */
async function settle(world: World): Promise<void> {
  let idle = 0;
  for (let round = 1; round <= 30; round += 1) {
    const { failures, ...done } = await sweep(world.deps(), world.now, () => false);
    expect(failures).toBe(0);
    await world.work();
    idle = sum(Object.values(done)) === 0 ? idle + 1 : 0;
    if (idle === 2) return;
    if (idle === 1) world.advance(120);
  }
  throw new Error('thirty sweeps left something due');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

test('after a thousand operations with failures at every edge, sums equal a recount and nothing is orphaned', async () => {
  const property = fc.asyncProperty(batches, async (plannedBatches) => {
    const world = await new World().open();
    let mostVersions = 0;
    for (const [index, { operations, thenSeconds }] of plannedBatches.entries()) {
      await Promise.all(operations.map((one) => world.run(one)));
      if (index % 20 === 19) {
        await checkSums(world);
        mostVersions = Math.max(mostVersions, await checkVersions(world));
      }
      world.advance(thenSeconds);
    }
    await checkSums(world);
    // Uploads and temporary projects end after a quarter of an hour, purges after a minute, what
    // left a history and jobs that nobody does after two hours, uploads after a day, and what was deleted after 30 days.
    for (const [seconds, unfinished] of [
      [0, undefined],
      [1000, /^(?:INTENT|PURGE)/],
      [3 * 3600, /^(?:INTENT|JOB|PURGE|DROP)/],
      [400 * day, /^(?:INTENT|JOB|PURGE|DROP|UPLOAD)/],
    ] as const) {
      world.advance(seconds);
      await settle(world);
      await checkSums(world);
      await checkServing();
      expect(await checkVersions(world)).toBeGreaterThan(0);
      if (unfinished !== undefined) await checkNoOrphans(unfinished);
    }
    expect((await readProjects()).filter(({ project }) => project['removingAt'])).toEqual([]);
    expect(world.surprises).toEqual([]);
    for (const [id, at] of world.changedAt) {
      expect(world.forgottenAt.get(id)).toBeGreaterThanOrEqual(at + 60_000);
    }
    expect(mostVersions).toBeGreaterThan(20);
    expect(world.injected).toBeGreaterThan(100);
    const seldom = kinds.filter((kind) => !((world.outcomes[`${kind} done`] ?? 0) > 2));
    expect(seldom).toEqual([]);
  });
  await fc.assert(property, { numRuns: 1, endOnFailure: true });
}, 300_000);
