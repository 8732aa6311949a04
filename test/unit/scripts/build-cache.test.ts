import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BuildCache } from '../../../scripts/build-cache.ts';
import { proofSize } from '../../fixtures/proof-size.ts';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

/** A root with sources, and a cache that sees them as older than itself. */
function aProject() {
  const root = mkdtempSync(path.join(tmpdir(), 'slipway-builds-'));
  roots.push(root);
  mkdirSync(path.join(root, 'src'));
  const file = (name: string) => path.join(root, 'src', name);
  const cacheDir = path.join(root, '.cache');
  writeFileSync(file('a.ts'), '1');
  const open = () => new BuildCache(root, cacheDir);
  return { root, file, cacheDir, open };
}

type Project = ReturnType<typeof aProject>;

const inputs = ['src', 'src/a.ts', 'src/b.ts'];

/** What a build makes of its inputs: the names in the folder, and what two of the files contain. */
function contentOf({ root }: Project): string {
  const read = (name: string) => readFileSync(path.join(root, 'src', name), 'utf8');
  const names = readdirSync(path.join(root, 'src'));
  return JSON.stringify(
    names.map((name) => [name, inputs.includes(`src/${name}`) ? read(name) : '']),
  );
}

/** As a start builds: from the cache, or anew. `during` runs between reading the sources and storing the result. */
function build(project: Project, options = 'x', during: () => void = () => undefined) {
  const cache = project.open();
  const known = cache.find('one', options);
  if (known !== undefined) return { dir: known.dir, isNew: false };
  const draft = cache.draft();
  writeFileSync(path.join(draft, 'result'), contentOf(project));
  during();
  return { dir: cache.keep({ name: 'one', options, draft, inputs }).dir, isNew: true };
}

const resultIn = (dir: string) => readFileSync(path.join(dir, 'result'), 'utf8');

/** File times are coarse: a file written now counts as changed during a build that begins now. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('a build is found again', () => {
  test('while nothing changed', async () => {
    const project = aProject();
    await settled();
    const first = build(project);
    expect(build(project)).toEqual({ dir: first.dir, isNew: false });
  });

  test.each<[string, (project: Project) => void]>([
    ['a file with another content', ({ file }) => writeFileSync(file('a.ts'), '2')],
    [
      'another content with the size and the time of the first',
      ({ file }) => {
        const { atime, mtime } = statSync(file('a.ts'));
        writeFileSync(file('a.ts'), '2');
        utimesSync(file('a.ts'), atime, mtime);
      },
    ],
    [
      'a file with the times of the first that is moved to its place',
      ({ root, file }) => {
        const { atime, mtime } = statSync(file('a.ts'));
        const other = path.join(root, 'other.ts');
        writeFileSync(other, '2');
        utimesSync(other, atime, mtime);
        renameSync(other, file('a.ts'));
      },
    ],
    [
      'a folder in the place of the first, made before the build',
      ({ root }) => {
        renameSync(path.join(root, 'src'), path.join(root, 'former'));
        renameSync(path.join(root, 'other'), path.join(root, 'src'));
      },
    ],
    ['a file that was absent', ({ file }) => writeFileSync(file('b.ts'), '')],
    ['a file that is gone', ({ file }) => rmSync(file('a.ts'))],
    ['a new name in a folder', ({ file }) => writeFileSync(file('c.ts'), '')],
  ])('not after a change: %s', async (_, change) => {
    const project = aProject();
    mkdirSync(path.join(project.root, 'other'));
    writeFileSync(path.join(project.root, 'other', 'a.ts'), '2');
    await settled();
    build(project);
    // It is found by the content of its inputs first, then by their times.
    for (let found = 0; found < 2; found += 1) expect(build(project).isNew).toBe(false);
    change(project);
    await settled();
    const after = build(project);
    expect([after.isNew, resultIn(after.dir)]).toEqual([true, contentOf(project)]);
  });

  test('without reading its inputs again', async () => {
    const project = aProject();
    await settled();
    const { dir } = build(project);
    build(project);
    const record = path.join(dir, '..', 'record.json');
    const text = readFileSync(record, 'utf8');
    writeFileSync(record, text.replaceAll(/"[0-9a-f]{32}"/g, '"not the digest"'));
    expect(readFileSync(record, 'utf8')).not.toBe(text);
    expect(build(project)).toEqual({ dir, isNew: false });
  });

  test('not for other options', async () => {
    const project = aProject();
    await settled();
    build(project);
    expect(build(project, 'y').isNew).toBe(true);
    expect(build(project, 'x').isNew).toBe(false);
  });

  test('and earlier content finds its earlier build', async () => {
    const project = aProject();
    await settled();
    const first = build(project);
    writeFileSync(project.file('a.ts'), '2');
    await settled();
    build(project);
    writeFileSync(project.file('a.ts'), '1');
    expect(build(project)).toEqual({ dir: first.dir, isNew: false });
  });
});

describe('a stale build is impossible', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('write', 'remove'), name: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constantFrom('start', 'start', 'wait'), name: fc.constant('') }),
    fc.record({ kind: fc.constant('change during a build'), name: fc.constantFrom('a', 'b') }),
  );

  test('whatever is changed, when, and in which order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const project = aProject();
        let content = 0;
        const write = (name: string) => {
          content = (content + 1) % 3;
          writeFileSync(project.file(`${name}.ts`), String(content));
        };
        for (const { kind, name } of steps) {
          if (kind === 'write') write(name);
          if (kind === 'remove') rmSync(project.file(`${name}.ts`), { force: true });
          if (kind === 'wait') await settled();
          if (kind === 'change during a build') build(project, 'x', () => write(name));
          if (kind === 'start') expect(resultIn(build(project).dir)).toBe(contentOf(project));
        }
        expect(resultIn(build(project).dir)).toBe(contentOf(project));
      }),
      { numRuns: proofSize({ short: 20, whole: 60 }) },
    );
  });

  test('a change between the digest and the build counts', async () => {
    const project = aProject();
    await settled();
    const cache = project.open();
    // It reads the digest of the first content.
    cache.keep({ name: 'other', options: '', draft: cache.draft(), inputs });
    writeFileSync(project.file('a.ts'), '2');
    const draft = cache.draft();
    writeFileSync(path.join(draft, 'result'), contentOf(project));
    cache.keep({ name: 'one', options: 'x', draft, inputs });
    writeFileSync(project.file('a.ts'), '1');
    expect(resultIn(build(project).dir)).toBe(contentOf(project));
  });
});

describe('starts that meet', () => {
  test('two simultaneous builds leave one complete result', async () => {
    const project = aProject();
    await settled();
    let second: ReturnType<typeof build> | undefined;
    const first = build(project, 'x', () => {
      second = build(project);
    });
    expect([first.isNew, second?.isNew]).toEqual([true, true]);
    expect(first.dir).toBe(second?.dir);
    expect(resultIn(first.dir)).toBe(contentOf(project));
    expect(readdirSync(project.cacheDir)).toHaveLength(1);
  });

  test('an interrupted build is never found, and deleted after an hour', async () => {
    const project = aProject();
    await settled();
    const draft = project.open().draft();
    writeFileSync(path.join(draft, 'result'), 'half');
    expect(resultIn(build(project).dir)).toBe(contentOf(project));
    expect(existsSync(draft)).toBe(true);
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    utimesSync(path.dirname(draft), twoHoursAgo, twoHoursAgo);
    build(project, 'y');
    expect(existsSync(draft)).toBe(false);
  });

  test('keeps what a cloud may still run, and the last eight', async () => {
    const project = aProject();
    await settled();
    for (let one = 0; one < 10; one += 1) build(project, String(one));
    expect(readdirSync(project.cacheDir)).toHaveLength(10);
    const lastWeek = new Date(Date.now() - 8 * 86_400_000);
    for (const name of readdirSync(project.cacheDir)) {
      utimesSync(path.join(project.cacheDir, name), lastWeek, lastWeek);
    }
    build(project, 'new');
    expect(readdirSync(project.cacheDir)).toHaveLength(8);
  });
});
