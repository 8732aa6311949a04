import { noOtherSite } from '../../../../fixtures/uploads/no-other-site.ts';
import { expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { contentHash, StoreId, type StoreKey } from '../../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import type { ContentStore, Intent, ProjectStore } from '../../../../../core/ports.ts';
import type {
  ProjectChange,
  ChangeOutcome,
} from '../../../../../core/projects/change/project-change.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import {
  publishQueuedUpload,
  resumeUpload,
} from '../../../../../core/projects/publishing/publish-queued-upload.ts';
import { sendJob } from '../../../../../core/uploads/job.ts';
import type { LargeUpload } from '../../../../../core/uploads/upload.ts';
import { encodeManifest } from '../../../../../core/visit/manifest.ts';
import { noAccountHistory } from '../../../../fixtures/projects/account-history.ts';
import { aCaller, aProject, aVersion, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { now as noon } from '../../../../fixtures/visits/a-site.ts';
import { anUpload, MemoryUploads } from '../../../../fixtures/uploads/memory-uploads.ts';

const store = StoreId.parse('b2');
const publishedBy = { kind: 'link', id: null, name: 'For Ada' } as const;
const waitingPushes = [{ number: 2, expiresAt: '2026-03-01T14:15:00.000Z' }];
const key: StoreKey = { projectId: aProject().id, store };

/** An uploading project with the job of its upload, taken at noon, and all that a worker meets. */
class World {
  now = noon;
  readonly memory = new MemoryUploads();
  readonly upload: LargeUpload;
  readonly objects = new Set<string>();
  readonly changes: ProjectChange[] = [];
  readonly sent: StoreKey[] = [];
  readonly failures: unknown[] = [];
  readonly removals: string[] = [];
  /** What the next changes meet. */
  outcomes: ChangeOutcome[] = [];
  project: Project | undefined = aProject({ version: 0, lastVersion: 0 });
  intent: (Intent & { leasedUntil?: string }) | undefined;
  onPut: () => Promise<void> = async () => undefined;

  constructor({
    kind = 'first',
    files = { 'a.txt': 'four' },
    includeHidden,
  }: { kind?: 'first' | 'push'; files?: Record<string, string>; includeHidden?: boolean } = {}) {
    const state = 'publishing';
    this.upload = this.memory.put(anUpload({ state }), files);
    const { uploadId } = this.upload;
    const job = { kind, uploadId, accountId: ownerId, number: 2, requestId: 'request' };
    const startedAt = instant(noon);
    this.intent = {
      ...key,
      startedAt,
      sweepAt: startedAt,
      job: { ...job, expectedVersion: 1, includeHidden, publishedBy },
    };
    if (kind === 'push') this.project = aProject({ waitingPushes });
  }

  advance(seconds: number): void {
    this.now = plusSeconds(this.now, seconds);
  }

  get state() {
    return this.memory.stateOf(this.upload);
  }

  readonly #projects = {
    get: async () => this.project,
    getVersion: async () => aVersion(),
    listVersions: async () => (this.project?.version === 0 ? [] : [aVersion()]),
    getIntent: async () => this.intent,
    leaseIntent: async (_: unknown, at: string, until: string) => {
      const { intent } = this;
      if (intent === undefined || intent.seizedAt || (intent.leasedUntil ?? '') > at)
        return undefined;
      this.intent = { ...intent, leasedUntil: until };
      return this.intent;
    },
    postponeIntent: async (_: unknown, sweepAt: string) => {
      if (this.intent !== undefined) this.intent = { ...this.intent, sweepAt };
    },
    seizeIntent: async () => {
      if (this.intent === undefined) return false;
      this.intent.seizedAt = instant(this.now);
      return true;
    },
    deleteIntent: async () => {
      this.intent = undefined;
    },
  };

  readonly #content = {
    put: async ({ key }: { key: string }) => {
      await this.onPut();
      this.objects.add(key);
    },
    get: async () => undefined,
    deletePrefix: async (prefix: string) => {
      for (const key of this.objects) if (key.startsWith(prefix)) this.objects.delete(key);
    },
  };

  readonly deps = {
    uploads: this.memory.uploads,
    links: { giveBack: async () => false, find: async () => undefined },
    area: this.memory.area,
    projects: this.#projects as unknown as ProjectStore,
    history: noAccountHistory,
    content: this.#content as unknown as ContentStore,
    owned: {
      change: async (change: ProjectChange) => {
        this.changes.push(change);
        const outcome = this.outcomes.shift() ?? 'changed';
        if (outcome !== 'changed') return outcome;
        this.project = change.after;
        this.intent = undefined;
        return outcome;
      },
      beginRemoval: async ({ project, failure }: { project: Project; failure?: string }) => {
        if (project.revision !== this.project?.revision) return false;
        this.project = { ...project, removingAt: instant(this.now), failure: failure ?? null };
        this.removals.push(failure ?? '');
        return true;
      },
    },
    accounts: { get: async () => aCaller().account },
    edge: { purge: async () => undefined, purgeAfterDelay: async () => undefined },
    pictures: noOtherSite,
    plans: defaultPlans,
    counters: { count: async () => 1 },
    notices: { note: async () => undefined },
    jobs: { send: async (job: StoreKey) => void this.sent.push(job) },
    onFailure: (item: unknown) => void this.failures.push(item),
    now: () => this.now,
  };

  work() {
    return publishQueuedUpload(this.deps, key);
  }
}

test('a worker publishes the upload, and the upload ends', async () => {
  const world = new World({ files: { 'index.html': '<h1>', 'a.txt': 'four' } });
  await world.work();
  expect(world.project).toMatchObject({
    version: 1,
    lastVersion: 1,
    type: 'html',
    bytes: 8,
    fileCount: 2,
    publishedAt: '2026-03-01T12:00:00.000Z',
  });
  expect(world.changes.at(-1)).toMatchObject({ endsIntent: store, site: { version: 1, store } });
  // Both files are in one pack.
  expect([world.state, world.objects.size, world.memory.parts.size]).toEqual(['published', 1, 0]);
});

test.each(['first', 'push'] as const)(
  'a version of a job (%s) says what asked for it',
  async (kind) => {
    const world = new World({ kind });
    await world.work();
    expect(world.changes.at(-1)?.version).toMatchObject({ publishedBy });
  },
);

test.each(['first', 'push'] as const)(
  'a job (%s) leaves hidden files out, and its upload says so',
  async (kind) => {
    const files = { 'a.txt': 'four', 'b.txt': 'four', '.env': 'KEY=1' };
    const world = new World({ kind, files });
    await world.work();
    const warnings = [{ kind: 'left-out', count: 1, paths: ['.env'] }];
    expect(world.changes.at(-1)?.version).toMatchObject({ fileCount: 2, warnings });
    expect(world.memory.rows.get(world.upload.uploadId)).toMatchObject({ fileCount: 2, warnings });
    const whole = new World({ kind, files, includeHidden: true });
    await whole.work();
    expect(whole.changes.at(-1)?.version).toMatchObject({ fileCount: 3 });
    expect(whole.memory.rows.get(whole.upload.uploadId)?.warnings).toBeUndefined();
  },
);

test('one job is done by one worker, however many receive it', async () => {
  const world = new World();
  await Promise.all([world.work(), world.work(), world.work()]);
  await world.work();
  expect(world.changes).toHaveLength(1);
  expect([world.state, world.failures]).toEqual(['published', []]);
});

test('a crashed worker keeps its job for a quarter of an hour, the longest time that it can run', async () => {
  const world = new World();
  world.onPut = () => Promise.reject(new Error('storage is down'));
  await expect(world.work()).rejects.toThrow('storage is down');
  world.onPut = async () => undefined;
  world.advance(899);
  await world.work();
  expect(world.state).toBe('publishing');
  world.advance(1);
  await world.work();
  expect(world.state).toBe('published');
});

test('a file that another version has by now is not left where a crashed worker stored it', async () => {
  const world = new World({ kind: 'push' });
  const { change } = world.deps.owned;
  world.deps.owned.change = () => Promise.reject(new Error('the worker crashed'));
  await expect(world.work()).rejects.toThrow('the worker crashed');
  expect(world.objects.size).toBe(1);
  const entry = { size: 4, hash: contentHash(Buffer.from('four')) };
  const manifest = Buffer.from(encodeManifest(new Map([['a.txt', entry]])));
  world.deps.projects.listVersions = async () => [aVersion({ manifest })];
  world.deps.owned.change = change;
  world.advance(900);
  await world.work();
  expect([world.state, [...world.objects]]).toEqual(['published', []]);
});

test('a project that is changed while its files are stored is published with the changes', async () => {
  const world = new World();
  world.outcomes = ['lost', 'lost'];
  world.onPut = async () => {
    world.project = aProject({ version: 0, lastVersion: 0, revision: 9, title: 'Changed' });
  };
  await world.work();
  expect(world.changes).toHaveLength(3);
  expect(world.project).toMatchObject({ version: 1, revision: 10, title: 'Changed' });
});

test.each<[string, (world: World) => void, string]>([
  [
    'the project is being removed',
    (world) => {
      world.project = aProject({ version: 0, removingAt: instant(noon) });
    },
    'NOT_FOUND',
  ],
  [
    'the project is gone',
    (world) => {
      world.project = undefined;
    },
    'NOT_FOUND',
  ],
  [
    'the project is removed while it is stored',
    (world) => {
      world.onPut = async () => {
        world.project = aProject({ version: 0, removingAt: instant(noon) });
      };
    },
    'NOT_FOUND',
  ],
  [
    'the account has no room any more',
    (world) => {
      const refused = { projectCount: 0, storageBytes: defaultPlans.pro.maxStorageBytes };
      world.outcomes = [{ refused }];
      world.project = aProject({ version: 0, bytes: 1 });
    },
    'STORAGE_LIMIT_REACHED',
  ],
])('when %s, the upload fails finally and leaves nothing', async (_, change, code) => {
  const world = new World();
  change(world);
  await world.work();
  expect(world.memory.rows.get(world.upload.uploadId)).toMatchObject({
    state: 'failed',
    failure: { status: 'error', code, nextStep: expect.stringMatching(/\S/) },
  });
  expect([world.objects.size, world.memory.parts.size, world.intent]).toEqual([0, 0, undefined]);
  expect(world.project?.version ?? 0).toBe(0);
});

test('a failed project is removed with the reason, even if it was changed meanwhile', async () => {
  const world = new World();
  world.outcomes = [
    { refused: { projectCount: 0, storageBytes: defaultPlans.pro.maxStorageBytes } },
  ];
  world.project = aProject({ version: 0, bytes: 1 });
  const { beginRemoval } = world.deps.owned;
  let tries = 0;
  world.deps.owned.beginRemoval = async (removal) => {
    tries += 1;
    return tries === 1 ? false : beginRemoval(removal);
  };
  await world.work();
  expect(world.removals).toEqual([expect.stringContaining('The plan allows')]);
});

test('a push whose base version was replaced meanwhile leaves the project unchanged', async () => {
  const world = new World({ kind: 'push' });
  world.project = aProject({ version: 3, lastVersion: 3, waitingPushes });
  await world.work();
  expect(world.memory.rows.get(world.upload.uploadId)?.failure).toMatchObject({
    code: 'VERSION_CONFLICT',
  });
  expect([world.changes, world.removals, world.intent]).toEqual([[], [], undefined]);
});

test('a job that is due is queued again, and its sweep is postponed', async () => {
  const world = new World();
  world.advance(1200);
  expect(await resumeUpload(world.deps, key, world.now)).toBe(true);
  expect(world.sent).toEqual([key]);
  expect(world.intent?.sweepAt).toBe('2026-03-01T12:40:00.000Z');
});

test('a job that failed for two hours is given up when no worker can be running it', async () => {
  const world = new World();
  world.advance(7199);
  await resumeUpload(world.deps, key, world.now);
  expect([world.sent.length, world.state]).toEqual([1, 'publishing']);

  const { intent } = world;
  if (intent === undefined) throw new Error('the job is gone');
  intent.leasedUntil = instant(plusSeconds(world.now, 60));
  world.advance(1);
  expect(await resumeUpload(world.deps, key, world.now)).toBe(true);
  expect([world.sent.length, world.state]).toEqual([1, 'publishing']);
  expect(world.intent?.sweepAt).toBe('2026-03-01T14:20:00.000Z');

  world.advance(1200);
  expect(await resumeUpload(world.deps, key, world.now)).toBe(true);
  expect(world.memory.rows.get(world.upload.uploadId)?.failure).toMatchObject({
    code: 'UPLOAD_FAILED',
  });
  expect(world.project).toMatchObject({ failure: 'The upload could not be published in time.' });
  expect(world.intent).toBeUndefined();
});

test('a worker that gets a job two hours late gives it up and does not read its files', async () => {
  const world = new World();
  world.advance(7200);
  const { area } = world.deps;
  let reads = 0;
  world.deps.area = {
    ...area,
    source: (...of) => {
      reads += 1;
      return area.source(...of);
    },
  };
  await world.work();
  expect(reads).toBe(0);
  expect(world.memory.rows.get(world.upload.uploadId)?.failure).toMatchObject({
    error: 'The upload could not be published in time.',
  });
  expect([world.project?.failure, world.intent]).toEqual([
    'The upload could not be published in time.',
    undefined,
  ]);
});

test('an intent without a job is not resumed', async () => {
  const world = new World();
  if (world.intent !== undefined) delete world.intent.job;
  expect(await resumeUpload(world.deps, key, world.now)).toBe(false);
  world.intent = undefined;
  expect(await resumeUpload(world.deps, key, world.now)).toBe(false);
});

test('a job whose removal has begun is not resumed', async () => {
  const world = new World();
  world.advance(7200);
  if (world.intent !== undefined) world.intent.seizedAt = instant(noon);
  expect(await resumeUpload(world.deps, key, world.now)).toBe(false);
  expect([world.sent, world.removals]).toEqual([[], []]);
});

test('a request succeeds when the queue refuses its job, because the job is stored', async () => {
  const world = new World();
  const jobs = { send: () => Promise.reject(new Error('SQS is down')) };
  await sendJob({ jobs, onFailure: world.deps.onFailure }, key, ownerId);
  expect(world.failures).toEqual([{ kind: 'job', ...key }]);
});

test('progress is stored every two seconds', async () => {
  const world = new World({
    files: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.txt`, 'four'])),
  });
  const reported: unknown[] = [];
  world.deps.uploads = {
    ...world.memory.uploads,
    progress: async (_, ...amounts) => void reported.push(amounts),
  };
  world.deps.now = () => {
    world.advance(1);
    return world.now;
  };
  await world.work();
  expect(reported.length).toBeGreaterThan(2);
  expect(reported.length).toBeLessThan(7);
  const some = { fileCount: expect.any(Number), bytes: expect.any(Number) };
  expect(reported[0]).toEqual([some, { fileCount: 10, bytes: 40 }]);
});
