import { expect, test } from '@jest/globals';
import { ProjectId } from '../../../../../contract/fields.ts';
import type { DroppedItem, DueItem, ProjectNotice } from '../../../../../core/ports.ts';
import { byTurns } from '../../../../../core/projects/removal/by-turns.ts';
import { sweep, type SweepDeps } from '../../../../../core/projects/removal/sweep.ts';
import type { LaneKey } from '../../../../../core/webhooks/webhook.ts';
import { UploadId } from '../../../../../core/uploads/upload.ts';
import type { ProjectChange } from '../../../../../core/projects/change/project-change.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import type { Removal } from '../../../../../core/projects/removal/removal.ts';
import { aProject, aVersion, ownerId } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');

/** What a sweep of these items does, in order, and how many dropped versions it has in work at once. */
async function swept(
  items: readonly (DueItem | DroppedItem)[],
  remainingMs = () => 50_000,
  onDrop: () => void = () => undefined,
  known?: Project,
) {
  const done: string[] = [];
  let [dropping, most, read] = [0, 0, 0];
  const isDrop = (item: DueItem | DroppedItem) => item.kind === 'drop';
  const deps = {
    projects: {
      async *listDue() {
        for (const item of items) if (!isDrop(item)) yield item;
      },
      async *listDueDrops() {
        for (const item of items) {
          if (!isDrop(item)) continue;
          read += 1;
          yield item;
        }
      },
      async getDroppedVersion(_: unknown, version: number) {
        dropping += 1;
        most = Math.max(most, dropping);
        await new Promise(setImmediate);
        dropping -= 1;
        onDrop();
        done.push(`drop ${version}`);
      },
      deleteDroppedVersion: async () => undefined,
      deletePurge: async () => undefined,
      get: async () => known,
      getVersion: async () => aVersion(),
      releaseHost: async () => undefined,
      removeRows: async () => undefined,
      async packsToErase() {
        done.push('erasure');
        return [];
      },
      listVersions: async () => [],
      listDroppedVersions: async () => [],
      endErasure: async () => undefined,
    },
    owned: {
      async change({ after }: ProjectChange) {
        done.push(`end ${after.announcedEnd}`);
        // The list of projects is sorted by it.
        expect(after.updatedAt).toBe(aProject().updatedAt);
        return 'changed';
      },
      async beginRemoval({ project }: Removal) {
        done.push(`removal ${project.expiresAt}`);
        return true;
      },
    },
    content: { deletePrefix: async () => undefined },
    hits: { removeHits: async () => undefined },
    edge: { purge: async () => void done.push('purge') },
    history: {
      async *dueChecks() {
        yield { accountId: ownerId, dueAt: now.toISOString() };
      },
    },
    mailExpiry: async ({ expiresAt }: Project) => void done.push(`mail ${expiresAt}`),
    async sendNotice({ projectId: id, link, ...line }: ProjectNotice & Partial<LaneKey>) {
      await new Promise(setImmediate);
      const { webhookId } = line;
      done.push(webhookId ? `line ${webhookId}` : `notice ${id.slice(-1)} ${link?.id ?? ''}`);
      return true;
    },
    settlePlanTime: async () => {
      done.push('plan');
      return true;
    },
    onFailure: (_: unknown, error: unknown) => {
      throw error;
    },
  };
  const result = await sweep(deps as unknown as SweepDeps, now, remainingMs);
  return { done, most, read, result };
}

const drops = Array.from(
  { length: 5 },
  (_, at): DroppedItem => ({ kind: 'drop', projectId, version: at + 1 }),
);

test('closed accounts and purges come before the files of dropped versions, of which two go at once', async () => {
  const { done, most, result } = await swept([...drops, { kind: 'purge', projectId }]);
  expect(done.slice(0, 2)).toEqual(['plan', 'purge']);
  expect(done.slice(2).toSorted()).toEqual(drops.map((_, at) => `drop ${at + 1}`));
  expect(most).toBe(2);
  expect(result).toMatchObject({ plans: 1, purges: 1, drops: 5, failures: 0 });
});

test('a project with many dropped versions waits behind the first one of every other', async () => {
  const other = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a12');
  const lateOne: DroppedItem = { kind: 'drop', projectId: other, version: 9 };
  const ordered = byTurns([...drops, lateOne], (drop) => drop.projectId);
  expect(ordered.map(({ version }) => version)).toEqual([1, 9, 2, 3, 4, 5]);
  const { done } = await swept([...drops, lateOne]);
  expect(done.slice(0, 3)).toContain('drop 9');
});

test('files that were deleted by name are erased although dropped versions take all the time there is', async () => {
  let left = 48_000;
  const remainingMs = () => left;
  const many = Array.from(
    { length: 100 },
    (_, at): DroppedItem => ({ kind: 'drop', projectId, version: at + 1 }),
  );
  const due: (DueItem | DroppedItem)[] = [...many, { kind: 'erasure', projectId }];
  const { done } = await swept(due, remainingMs, () => {
    left -= 6000;
  });
  expect(done).toContain('erasure');
  expect(done.filter((one) => one.startsWith('drop')).length).toBeGreaterThan(2);
});

test('no dropped version and no account is begun at the end of a run', async () => {
  const { done } = await swept(drops, () => 2900);
  expect(done).toEqual([]);
});

test('of any number of dropped versions a run reads those that it may begin', async () => {
  const many = Array.from(
    { length: 5000 },
    (_, at): DroppedItem => ({ kind: 'drop', projectId, version: at + 1 }),
  );
  const { read, done } = await swept(many);
  expect(read).toBe(2000);
  expect(done).toHaveLength(2001);
});

test('closed accounts and abandoned uploads that take long hold up no purge', async () => {
  let endPurge = () => undefined as void;
  const purged = new Promise<void>((resolve) => {
    endPurge = resolve;
  });
  const afterThePurge = async () => {
    await purged;
    return false;
  };
  const uploadId = UploadId.parse('4b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a44');
  const time = { accountId: ownerId, dueAt: now.toISOString() };
  const deps = {
    projects: {
      async *listDue() {
        for (let count = 0; count < 100; count += 1) yield { kind: 'upload', uploadId };
        yield { kind: 'purge', projectId };
      },
      async *listDueDrops() {
        yield* [];
      },
      deletePurge: async () => undefined,
    },
    uploads: { expire: afterThePurge },
    edge: { purge: async () => endPurge() },
    history: {
      async *dueChecks() {
        for (let count = 0; count < 100; count += 1) yield time;
      },
    },
    settlePlanTime: afterThePurge,
    onFailure: (_: unknown, error: unknown) => {
      throw error;
    },
  };
  const result = await sweep(deps as unknown as SweepDeps, now, () => 50_000);
  expect(result).toMatchObject({ purges: 1, failures: 0 });
});

test('mails about the many links of one project delay no mail of another, and only fifty are sent in a run', async () => {
  const others = ['2', '3'].map((last) => ProjectId.parse(projectId.slice(0, -1) + last));
  const ofLinks = Array.from(
    { length: 1500 },
    (_, at): DueItem => ({ kind: 'notice', projectId, link: { kind: 'share', id: `${at}` } }),
  );
  const late = others.map((id): DueItem => ({ kind: 'notice', projectId: id }));
  const { done, result } = await swept([...ofLinks, ...late]);
  const sent = done.filter((one) => one.startsWith('notice'));
  expect(sent.slice(0, 3).toSorted()).toEqual(['notice 1 0', 'notice 2 ', 'notice 3 ']);
  expect(result.notices).toBe(52);
});

const day = (of: number) => new Date(now.getTime() + of * 86_400_000).toISOString();

test.each<[string, Partial<Project>, string]>([
  ['announced a day before', { expiresAt: day(1) }, `end ${day(1)}`],
  ['announced late, before it is removed', { expiresAt: day(-29) }, `end ${day(-29)}`],
  [
    'followed by its removal',
    { expiresAt: day(-30), announcedEnd: day(-30) },
    `removal ${day(-30)}`,
  ],
  ['followed by it without an announcement', { expiresAt: day(-30) }, `removal ${day(-30)}`],
])('the end of a project is %s', async (_, changes, expected) => {
  const items: DueItem[] = [{ kind: 'project', projectId }];
  const { done } = await swept(items, undefined, undefined, aProject(changes));
  expect(done).toContain(expected);
  expect(done.filter((one) => /^(?:end|removal)/.test(one))).toHaveLength(1);
  const mailed = done.filter((one) => one.startsWith('mail'));
  expect(mailed).toEqual(expected.startsWith('end') ? [expected.replace('end', 'mail')] : []);
});

test('lines of one account wait behind the first of every other, however many there are', async () => {
  const line = (webhookId: string, subject: string) =>
    ({ kind: 'webhook', webhookId, subject }) as DueItem;
  const lines = Array.from({ length: 30_000 }, (_, at) => line(`many-${at % 10}`, `${at}`));
  const { done } = await swept([...lines, line('other', 'one')]);
  expect(done.slice(0, 30)).toContain('line other');
  expect(done.filter((one) => one.startsWith('line many')).length).toBeGreaterThan(900);
});

test('more that is due than a run can list does not keep it from what it found', async () => {
  const lines = Array.from(
    { length: 30_000 },
    (_, at) => ({ kind: 'webhook', webhookId: `many-${at % 10}`, subject: `${at}` }) as DueItem,
  );
  let left = 50_000;
  const { done, result } = await swept(lines, () => (left -= 10));
  expect(done.filter((one) => one.startsWith('line many')).length).toBeGreaterThan(500);
  expect(result.failures).toBe(0);
});
