import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { putPreview } from '../../../core/projects/previews/put-preview.ts';
import { replaceProjectFiles } from '../../../core/projects/versions/replace-files.ts';
import { rollBackProject } from '../../../core/projects/versions/roll-back.ts';
import { listDeployments } from '../../../core/projects/versions/deployment.ts';
import { localStores } from '../../fixtures/clouds/local-stores.ts';
import { OwnerWorld, uploaded } from '../../fixtures/accounts/owner-world.ts';
import { proofSize } from '../../fixtures/proof-size.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const anOwner = () => new OwnerWorld(stores, { versionsKept: -1 }).open();
type Owner = Awaited<ReturnType<typeof anOwner>>;

const contents = [
  { 'index.html': '<h1>one', 'style.css': 'body {}' },
  { 'index.html': '<h1>two', 'style.css': 'body {}' },
];

/** `PUT /v1/projects/{projectId}`. */
const put = (owner: Owner, projectId: string, at: number) =>
  replaceProjectFiles(owner.deps, owner.caller, { projectId, files: uploaded(contents[at] ?? {}) });

describe('a PUT of identical content', () => {
  test('is a new version, and no byte of it is stored again', async () => {
    const owner = await anOwner();
    const projectId = await owner.publish(contents[0] ?? {});
    owner.calls = {};
    expect(await put(owner, projectId, 0)).toMatchObject({ deploymentId: 'dep_v2' });
    expect(owner.calls).toEqual({});
    expect(await owner.shown(projectId)).toMatchObject({ version: 2, files: contents[0] });
  });

  test('stays visible when the version that stored its files has left the history', async () => {
    const owner = await new OwnerWorld(stores, { versionsKept: 2 }).open();
    const projectId = await owner.publish(contents[0] ?? {});
    for (const _ of [2, 3, 4]) await put(owner, projectId, 0);
    await owner.sweepAfter(3 * 3600);
    expect(await owner.shown(projectId)).toMatchObject({ version: 4, files: contents[0] });
    expect(await owner.keys(projectId)).toHaveLength(1);
  });
});

test('a preview that is pushed again keeps its files, also when the push is interrupted', async () => {
  const owner = await anOwner();
  const projectId = await owner.publish(contents[0] ?? {});
  const choices = { name: 'pr-1', access: 'project', lifeSeconds: 7 * 86_400 } as const;
  const pushTo = (deps: typeof owner.deps) =>
    putPreview(deps, owner.caller, { ...choices, projectId, files: uploaded(contents[1] ?? {}) });
  await pushTo(owner.deps);
  const { previews: [preview] = [], id } = await owner.project(projectId);
  const keys = await owner.keys(projectId);
  await owner.sweepAfter(3 * 86_400);
  let isWritten = false;
  const { projects, owned, ...deps } = owner.deps;
  const interrupted = pushTo({
    ...deps,
    owned: { ...owned, change: async (change) => ((isWritten = true), owned.change(change)) },
    projects: {
      ...projects,
      postponeDrop: async (...args) => {
        if (isWritten) throw new Error('the function ended');
        await projects.postponeDrop(...args);
      },
    },
  });
  await expect(interrupted).rejects.toThrow();
  await owner.sweepAfter(5 * 86_400);
  expect((await owner.project(projectId)).previews).toHaveLength(1);
  expect(await projects.getDroppedVersion(id, preview?.version ?? 0)).toBeDefined();
  expect(await owner.keys(projectId)).toEqual(keys);
  await owner.sweepAfter(3 * 86_400);
  expect((await owner.project(projectId)).previews).toEqual([]);
});

test('a tool call with identical content is no new version: repeating it has no effect', async () => {
  const owner = await anOwner();
  const projectId = await owner.publish(contents[0] ?? {});
  const files = contents[0] ?? {};
  for (const mode of ['replace', 'merge', 'replace'] as const) {
    expect(await owner.update(projectId, { files, mode })).toMatchObject({ version: 1 });
  }
  expect(await owner.leftToDo(projectId)).toEqual([]);
});

type Step =
  | { kind: 'put'; contents: number[] }
  | { kind: 'tool'; content: number; mode: 'merge' | 'replace' }
  | { kind: 'roll back'; to: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    contents: fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('tool' as const),
    content: fc.constantFrom(0, 1),
    mode: fc.constantFrom('merge' as const, 'replace' as const),
  }),
  fc.record({ kind: fc.constant('roll back' as const), to: fc.nat() }),
);

/** The content of each version, and the live one. */
interface Expected {
  held: Map<number, number>;
  live: number;
}

async function take(owner: Owner, projectId: string, expected: Expected, nextStep: Step) {
  const { held } = expected;
  const last = Math.max(...held.keys());
  if (nextStep.kind === 'put') {
    const pushed = await Promise.all(
      nextStep.contents.map(async (content) => ({
        content,
        version: (await put(owner, projectId, content)).version,
      })),
    );
    const versions = pushed.map(({ version }) => version).toSorted((a, b) => a - b);
    expect(versions).toEqual(nextStep.contents.map((_, at) => last + 1 + at));
    for (const { version, content } of pushed) held.set(version, content);
    expected.live = last + nextStep.contents.length;
    return;
  }
  if (nextStep.kind === 'roll back') {
    expected.live = 1 + (nextStep.to % last);
    await rollBackProject(owner.deps, owner.caller, { projectId, version: expected.live });
    return;
  }
  const { content, mode } = nextStep;
  const { version } = await owner.update(projectId, { files: contents[content] ?? {}, mode });
  if (held.get(expected.live) !== content) {
    expected.live = last + 1;
    held.set(expected.live, content);
  }
  expect(version).toBe(expected.live);
}

test('each PUT is one version whatever came before it or comes at the same time', async () => {
  const { runs } = proofSize({ short: { runs: 12 }, whole: { runs: 60 } });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const owner = await anOwner();
      const projectId = await owner.publish(contents[0] ?? {});
      const expected = { held: new Map([[1, 0]]), live: 1 };
      for (const nextStep of steps) await take(owner, projectId, expected, nextStep);
      const { version, files } = await owner.shown(projectId);
      expect([version, files]).toEqual([
        expected.live,
        contents[expected.held.get(expected.live) ?? -1],
      ]);
      const kept = await listDeployments(owner.deps, owner.caller, { projectId });
      expect(kept.map((one) => one.version)).toEqual(
        [...expected.held.keys()].toSorted((a, b) => b - a),
      );
      expect(await owner.leftToDo(projectId)).not.toContain('INTENT');
    }),
    { numRuns: runs },
  );
}, 600_000);
