import { expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { StoreId } from '../../../../../core/content/content-keys.ts';
import { instant, plusSeconds } from '../../../../../core/instants.ts';
import type { ContentStore, Intent, ProjectStore } from '../../../../../core/ports.ts';
import type { Change, Changed } from '../../../../../core/projects/settings/change.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import {
  publishUpload,
  resumeUpload,
} from '../../../../../core/projects/publishing/publish-upload.ts';
import { handOut, type JobKey } from '../../../../../core/uploads/job.ts';
import type { LargeUpload } from '../../../../../core/uploads/upload.ts';
import { noAccountHistory } from '../../../../fixtures/projects/account-history.ts';
import { aCaller, aProject, aVersion, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { now as noon } from '../../../../fixtures/visits/a-site.ts';
import { anUpload, MemoryUploads } from '../../../../fixtures/uploads/memory-uploads.ts';

const store = StoreId.parse('b2');
const key: JobKey = { projectId: aProject().id, store };

/** An uploading project with the job of its upload, taken at noon, and all that a worker meets. */
class World {
  now = noon;
  readonly memory = new MemoryUploads();
  readonly upload: LargeUpload;
  readonly objects = new Set<string>();
  readonly changes: Change[] = [];
  readonly sent: JobKey[] = [];
  readonly failures: unknown[] = [];
  readonly removals: string[] = [];
  /** What the next changes meet. */
  outcomes: Changed[] = [];
  project: Project | undefined = aProject({ version: 0, lastVersion: 0 });
  intent: (Intent & { leasedUntil?: string }) | undefined;
  onPut: () => Promise<void> = async () => undefined;

  constructor({
    kind = 'first',
    files = { 'a.txt': 'four' },
  }: { kind?: 'first' | 'push'; files?: Record<string, string> } = {}) {
    const state = 'publishing';
    this.upload = this.memory.put(anUpload({ state }), files);
    const { uploadId } = this.upload;
    const job = { kind, uploadId, accountId: ownerId, number: 2, requestId: 'request' };
    const startedAt = instant(noon);
    this.intent = { ...key, startedAt, sweepAt: startedAt, job: { ...job, expectedVersion: 1 } };
    if (kind === 'push') this.project = aProject();
  }

  advance(seconds: number): void {
    this.now = plusSeconds(this.now, seconds);
  }

  get state() {
    return this.memory.stateOf(this.upload);
  }

  readonly #projects = {
    get: async () => this.project,
    version: async () => aVersion(),
    versions: async () => (this.project?.version === 0 ? [] : [aVersion()]),
    intent: async () => this.intent,
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
    endIntent: async () => {
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
    area: this.memory.area,
    projects: this.#projects as unknown as ProjectStore,
    history: noAccountHistory,
    content: this.#content as unknown as ContentStore,
    owned: {
      change: async (change: Change) => {
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
    edge: { forget: async () => undefined, forgetStragglers: async () => undefined },
    plans: defaultPlans,
    jobs: { send: async (job: JobKey) => void this.sent.push(job) },
    onFailure: (item: unknown) => void this.failures.push(item),
    now: () => this.now,
  };

  work() {
    return publishUpload(this.deps, key);
  }
}

test('a worker publishes what was uploaded, and the upload ends with it', async () => {
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
  expect([world.state, world.objects.size, world.memory.parts.size]).toEqual(['published', 2, 0]);
});

test('one job is done by one worker, however many are given it', async () => {
  const world = new World();
  await Promise.all([world.work(), world.work(), world.work()]);
  await world.work();
  expect(world.changes).toHaveLength(1);
  expect([world.state, world.failures]).toEqual(['published', []]);
});

test('a worker that ended without a word keeps its job for the quarter of an hour that it may live', async () => {
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

test('a project that changes while it is stored appears with its changes', async () => {
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
])('when %s, the upload fails for good and nothing is left', async (_, change, code) => {
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

test('a project that failed is removed with the reason, though it changed meanwhile', async () => {
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

test('a push that comes too late for the version it was to replace leaves the project as it is', async () => {
  const world = new World({ kind: 'push' });
  world.project = aProject({ version: 3, lastVersion: 3 });
  await world.work();
  expect(world.memory.rows.get(world.upload.uploadId)?.failure).toMatchObject({
    code: 'VERSION_CONFLICT',
  });
  expect([world.changes, world.removals, world.intent]).toEqual([[], [], undefined]);
});

test('a job that is due is handed out again, and looked at later', async () => {
  const world = new World();
  world.advance(1200);
  expect(await resumeUpload(world.deps, key, world.now)).toBe(true);
  expect(world.sent).toEqual([key]);
  expect(world.intent?.sweepAt).toBe('2026-03-01T12:40:00.000Z');
});

test('a job that nobody could do for two hours is given up, once no worker can be at it', async () => {
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

test('a worker who gets a job two hours late gives it up, and reads nothing that may be removed beside it', async () => {
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

test('an intent that is no job is none of a worker’s', async () => {
  const world = new World();
  if (world.intent !== undefined) delete world.intent.job;
  expect(await resumeUpload(world.deps, key, world.now)).toBe(false);
  world.intent = undefined;
  expect(await resumeUpload(world.deps, key, world.now)).toBe(false);
});

test('a job that was given up, but not to its end, is the sweep’s to remove', async () => {
  const world = new World();
  world.advance(7200);
  if (world.intent !== undefined) world.intent.seizedAt = instant(noon);
  expect(await resumeUpload(world.deps, key, world.now)).toBe(false);
  expect([world.sent, world.removals]).toEqual([[], []]);
});

test('a queue that takes no job is no failure of the request: the job stands written', async () => {
  const world = new World();
  const jobs = { send: () => Promise.reject(new Error('SQS is down')) };
  await handOut({ jobs, onFailure: world.deps.onFailure }, key);
  expect(world.failures).toEqual([{ kind: 'job', ...key }]);
});

test('how far it is is told every other second', async () => {
  const world = new World({
    files: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.txt`, 'four'])),
  });
  const told: unknown[] = [];
  world.deps.uploads = {
    ...world.memory.uploads,
    progress: async (_, ...amounts) => void told.push(amounts),
  };
  world.onPut = async () => world.advance(1);
  await world.work();
  expect(told.length).toBeGreaterThan(2);
  expect(told.length).toBeLessThan(7);
  const some = { fileCount: expect.any(Number), bytes: expect.any(Number) };
  expect(told[0]).toEqual([some, { fileCount: 10, bytes: 40 }]);
});
