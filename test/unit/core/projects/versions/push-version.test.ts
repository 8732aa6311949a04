import { describe, expect, test } from '@jest/globals';
import { contentHash, uploadLocation, StoreId } from '../../../../../core/content/content-keys.ts';
import type { PreparedUpload } from '../../../../../core/content/prepare-upload.ts';
import type {
  ProjectChange,
  ChangeOutcome,
} from '../../../../../core/projects/change/project-change.ts';
import type { Project, Version } from '../../../../../core/projects/project.ts';
import {
  type Push,
  type PushDeps,
  pushVersion,
} from '../../../../../core/projects/versions/push-version.ts';
import { decodeManifest, encodeManifest } from '../../../../../core/visit/manifest.ts';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { noAccountHistory } from '../../../../fixtures/projects/account-history.ts';
import { aCaller, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const contents = { 'a.txt': 'same', 'b.txt': 'new' };

function anUpload(): PreparedUpload {
  const files = Object.entries(contents).map(([path, text]) => ({
    path,
    size: text.length,
    content: [Buffer.from(text)],
  }));
  async function* each() {
    yield* files;
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { type: 'zip', home: null, title: 'T', fileCount: files.length, bytes, files: each };
}

/** A version that holds these files, stored by its own upload. */
function holding(version: number, store: string, files: Record<string, string>): Version {
  const manifest = encodeManifest(
    new Map(
      Object.entries(files).map(([path, text]) => [
        path,
        { size: text.length, hash: contentHash(Buffer.from(text)) },
      ]),
    ),
  );
  return aVersion({
    version,
    store: StoreId.parse(store),
    home: null,
    manifest: Buffer.from(manifest),
  });
}

/** A write that happened, and whose answer was lost. */
class Lost extends Error {}

/** A push that meets one history after the other, and what it stored and wrote. */
async function push(
  histories: Version[][],
  outcomes: (ChangeOutcome | Error)[],
  versionsKept = 20,
  options: Partial<
    Pick<
      Extract<Push, { upload: PreparedUpload }>,
      'queued' | 'skipsIdentical' | 'draft' | 'settings' | 'note'
    >
  > = {},
) {
  const stored: string[] = [];
  const changes: ProjectChange[] = [];
  const withdrawn: string[] = [];
  let tries = 0;
  let written: Project | undefined;
  const currentHistory = () => histories[Math.min(tries, histories.length - 1)] ?? [];
  const newest = () => currentHistory()[0]?.version ?? 1;
  const projects = {
    createIntent: async () => undefined,
    get: async () =>
      written ??
      aProject({
        version: newest(),
        lastVersion: newest(),
        revision: tries,
        waitingPushes: [{ number: 2, expiresAt: '2026-03-01T14:15:00.000Z' }],
      }),
    getVersion: async () => (written === undefined ? currentHistory()[0] : changes.at(-1)?.version),
    listVersions: async () => currentHistory(),
    seizeIntent: async () => true,
    deleteIntent: async ({ store }: { store: string }) => void withdrawn.push(store),
  };
  const deps = {
    projects: projects as unknown as PushDeps['projects'],
    history: noAccountHistory,
    content: {
      put: async ({ key }: { key: string }) => void stored.push(key.split('/').at(-1) ?? ''),
      // Everything that is stored here has the prefix of the one upload.
      deletePrefix: async () => void stored.splice(0),
    } as unknown as PushDeps['content'],
    owned: {
      change: async (change: ProjectChange) => {
        changes.push(change);
        if (outcomes[tries] instanceof Lost) written = change.after;
        tries += 1;
        const outcome = outcomes[tries - 1] ?? ('changed' as const);
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
    },
    edge: { purge: async () => undefined, purgeAfterDelay: async () => undefined },
    plans: { ...defaultPlans, pro: { ...defaultPlans.pro, versionsKept } },
    counters: { count: async () => 1 },
    onFailure: () => undefined,
    now: () => now,
  };
  const upload = anUpload();
  const { project, draft } = await pushVersion(deps, aCaller(), {
    project: aProject(),
    upload,
    draft: undefined,
    ...options,
  });
  const last = changes.at(-1);
  const files = last?.version && decodeManifest(last.version.manifest ?? new Uint8Array());
  return { project, draft, stored, changes, withdrawn, files };
}

const digest = (path: string) => uploadLocation('x', path).split('/')[1];
/** A pack with `a.txt` and `b.txt`, of four and three bytes. */
const packOfBoth = expect.stringMatching(/^p[0-9a-f]{24}-7$/);

test('stores only what no kept version holds', async () => {
  const { project, stored, files } = await push([[holding(1, 'a1', { 'a.txt': 'same' })]], []);
  expect(project).toMatchObject({ version: 2, lastVersion: 2 });
  expect(stored).toEqual([digest('b.txt')]);
  expect(files?.get('a.txt')).toMatchObject({ storedAt: 'a1' });
  expect(files?.get('b.txt')).not.toHaveProperty('kept');
});

test('is made again over a newer state without storing anything again', async () => {
  const first = holding(1, 'a1', { 'a.txt': 'same' });
  const another = holding(2, 'b2', { 'c.txt': 'theirs' });
  const { project, stored, changes } = await push([[first], [another, first]], ['lost']);
  expect(changes.map(({ after }) => after.version)).toEqual([2, 3]);
  expect(project.version).toBe(3);
  expect(stored).toEqual([digest('b.txt')]);
});

test('stores a file after all whose version has left the history in the meantime', async () => {
  const first = holding(1, 'a1', { 'a.txt': 'same' });
  const another = holding(2, 'b2', { 'c.txt': 'theirs' });
  const { stored, files } = await push([[first], [another]], ['lost']);
  expect(stored).toEqual([packOfBoth]);
  const places = Object.keys(contents).map((path) => files?.get(path));
  const [pack] = stored;
  expect(places.map((entry) => entry?.storedAt?.split('/')[1])).toEqual([pack, pack]);
  expect(places.map((entry) => entry?.offset)).toEqual([0, 4]);
});

test('leaves nothing behind that the other push has stored as well', async () => {
  const first = holding(1, 'a1', { 'a.txt': 'same' });
  const another = holding(2, 'b2', { 'b.txt': 'new' });
  const { stored, files } = await push([[first], [another]], ['lost']);
  expect(stored).toEqual([digest('a.txt')]);
  expect(files?.get('b.txt')).toMatchObject({ storedAt: 'b2' });
});

describe('once another push has made the same content live', () => {
  const first = holding(1, 'a1', {});
  const same = holding(2, 'b2', contents);

  test('is a version of its own', async () => {
    const { project, stored, withdrawn } = await push([[first], [same, first]], ['lost']);
    expect(project.version).toBe(3);
    expect(stored).toEqual([packOfBoth]);
    expect(withdrawn).toEqual([]);
  });

  test('is no new version where identical content is skipped', async () => {
    const { project, changes, withdrawn } = await push([[first], [same, first]], ['lost'], 20, {
      skipsIdentical: true,
    });
    expect(changes).toHaveLength(1);
    expect(project.version).toBe(2);
    expect(withdrawn).toHaveLength(1);
  });
});

test('never drops the number that it takes itself, where it has seen newer versions than the project', async () => {
  const [newer, older] = [holding(2, 'b2', {}), holding(1, 'a1', {})];
  const { changes } = await push([[older], [older]], [], 1);
  expect(changes[0]?.pruned).toEqual([older]);
  const stale = await push([[older, newer]], [], 1);
  expect(stale.changes[0]?.version?.version).toBe(2);
  expect(stale.changes[0]?.pruned).toEqual([older]);
});

test('a write whose answer was lost is no failure', async () => {
  const { project, changes, withdrawn } = await push(
    [[holding(1, 'a1', {})]],
    [new Lost('no answer')],
  );
  expect(project.version).toBe(2);
  expect(changes).toHaveLength(1);
  expect(withdrawn).toEqual([]);
});

test('a write that did not happen is one, and its upload is left to the sweep', async () => {
  await expect(push([[holding(1, 'a1', {})]], [new Error('down')])).rejects.toThrow('down');
});

test('one that a later push overtook is kept, and that one stays live', async () => {
  const [third, first] = [holding(3, 'c3', {}), holding(1, 'a1', {})];
  const queued = { store: StoreId.parse('b2'), number: 2 };
  const { project, changes } = await push([[third, first]], [], 2, { queued });
  expect(project).toMatchObject({ version: 3, lastVersion: 3 });
  expect(changes[0]).toMatchObject({
    version: { version: 2, store: 'b2' },
    endsIntent: 'b2',
    site: { version: 3, store: 'c3' },
    purgeAt: undefined,
  });
  expect(changes[0]?.pruned).toEqual([first]);
});

test('one that a later push overtook is not kept where newer ones fill the history', async () => {
  const newer = [holding(4, 'd4', {}), holding(3, 'c3', {})];
  const queued = { store: StoreId.parse('b2'), number: 2 };
  for (const versionsKept of [1, 2]) {
    const { project, changes, withdrawn } = await push([newer], [], versionsKept, { queued });
    expect(project).toMatchObject({ version: 4, lastVersion: 4 });
    expect(changes).toEqual([]);
    expect(withdrawn).toHaveLength(1);
  }
});

describe('a draft', () => {
  const first = holding(1, 'a1', {});

  test('has the next number and leaves the live version live', async () => {
    const { project, draft, changes } = await push([[first]], [], 20, { draft: true });
    expect(project).toMatchObject({ version: 1, lastVersion: 2, history: { versions: 1 } });
    expect(draft?.version).toBe(2);
    expect(changes[0]).toMatchObject({
      version: { version: 2, draft: true },
      site: { version: 1, store: 'a1' },
      purgeAt: undefined,
      pruned: [],
    });
  });

  test('prunes an earlier version of a full history, never the live one', async () => {
    const live = holding(3, 'c3', {});
    const { changes } = await push([[live, first]], [], 2, { draft: true });
    expect(changes[0]?.pruned).toEqual([first]);
    const alone = await push([[live]], [], 2, { draft: true });
    expect(alone.changes[0]?.pruned).toEqual([]);
  });

  test('is refused where the plan keeps only the live version', async () => {
    await expect(push([[first]], [], 1, { draft: true })).rejects.toThrow('draft');
  });
});

test('the note of a push belongs to its version', async () => {
  const { changes } = await push([[holding(1, 'a1', {})]], [], 20, { note: 'A new pier' });
  expect(changes[0]?.version).toMatchObject({ version: 2, note: 'A new pier' });
});

describe('settings of a push', () => {
  const first = holding(1, 'a1', {});
  const settings = { title: 'Pier', prettyUrls: true };

  test('change in the write that makes its files live; others keep their values', async () => {
    const { project, changes } = await push([[first]], [], 20, { settings });
    expect(changes).toHaveLength(1);
    expect(changes[0]?.site).toMatchObject({ version: 2, title: 'Pier', prettyUrls: true });
    expect(project).toMatchObject({ ...settings, spa: 'auto', version: 2 });
  });

  test('change alone where identical files are skipped, and nothing is written twice', async () => {
    const live = holding(1, 'a1', contents);
    const options = { settings, skipsIdentical: true };
    const { project, changes, withdrawn } = await push([[live]], [], 20, options);
    expect(project).toMatchObject({ ...settings, version: 1 });
    expect(changes[0]).not.toHaveProperty('version');
    expect(withdrawn).toHaveLength(1);
    const same = { settings: { spa: 'auto' as const }, skipsIdentical: true };
    expect((await push([[live]], [], 20, same)).changes).toEqual([]);
  });

  test('stay those of the live version where a later push overtook it', async () => {
    const [third, older] = [holding(3, 'c3', {}), holding(1, 'a1', {})];
    const queued = { store: StoreId.parse('b2'), number: 2 };
    const { project } = await push([[third, older]], [], 3, { queued, settings });
    expect(project).toMatchObject({ version: 3, prettyUrls: false });
    expect(project.title).not.toBe('Pier');
  });
});
