import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { downloadExport } from '../../../../cli/export/download-export.ts';
import { exportFolder } from '../../../../cli/export/export-folder.ts';
import type { ExportSource } from '../../../../cli/export/export-source.ts';
import { AccountExport, type ExportPage } from '../../../../contract/account-export.ts';
import { anArchive, anArchivedProject, bytesAt } from '../../../fixtures/archives/an-archive.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slipway-download-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
// How long a further try waits is by chance: here it does not wait.
beforeAll(() => void jest.spyOn(Math, 'random').mockReturnValue(0));

const project = anArchivedProject();
const { projects: _, ...facts } = anArchive([project]);

/** One page with all of it; a link holds what it leads to. */
function thePage(): ExportPage {
  const versions = project.versions.map(({ files, ...version }, index) => ({
    ...version,
    filesFrom: 0,
    files: files.map((file) => {
      const text = index === 1 && file.path === 'index.html' ? 'again' : '';
      return { ...file, url: `https://bucket.test/${bytesAt(file.path, text).toString('hex')}` };
    }),
  }));
  return { ...facts, projects: [{ ...project, versions }], next: null };
}

async function* contentOf(url: string) {
  yield Buffer.from(url.split('/').at(-1) ?? '', 'hex');
}

function aSource(changes: Partial<ExportSource> = {}) {
  const opened: string[] = [];
  let pages = 0;
  const source: ExportSource = {
    page: async (cursor) => {
      pages += 1;
      return changes.page?.(cursor) ?? thePage();
    },
    object: (url, size) => {
      opened.push(url);
      return changes.object?.(url, size) ?? contentOf(url);
    },
  };
  return { source, opened, pages: () => pages };
}

const download = (source: ExportSource, report = () => {}) =>
  downloadExport({
    source,
    folder: exportFolder(root),
    signal: new AbortController().signal,
    report,
  });

describe('a download', () => {
  test('downloads each content once, and stores the pages', async () => {
    const { source, opened } = aSource();
    await download(source);
    expect(opened).toHaveLength(3);
    expect(new Set(opened).size).toBe(3);
    const archive = AccountExport.parse(JSON.parse(await exportFolder(root).readArchive()));
    expect(archive).toEqual(anArchive([project]));
    expect(readFileSync(join(root, 'export.json'), 'utf8')).not.toContain('bucket.test');
  });

  test('retries failed and damaged downloads', async () => {
    let calls = 0;
    const { source, opened } = aSource({
      object: (url) => {
        calls += 1;
        if (calls === 1) throw new Error('reset');
        return calls === 2 ? contentOf('/00') : contentOf(url);
      },
    });
    await download(source);
    expect(opened).toHaveLength(5);
    expect(readdirSync(join(root, 'objects'))).toHaveLength(3);
  });

  test('requests new links when its links have expired', async () => {
    let isDead = true;
    const { source, pages } = aSource({
      page: async () => {
        isDead = pages() === 1;
        return thePage();
      },
      object: (url) => {
        if (isDead) throw new Error('HTTP 403');
        return contentOf(url);
      },
    });
    await download(source);
    expect(pages()).toBe(2);
  });

  test('starts again when a project is incomplete, and fails if that repeats', async () => {
    const torn = (): ExportPage => {
      const page = thePage();
      page.projects[0]?.versions.pop();
      return page;
    };
    let count = 0;
    const once = aSource({
      page: async () => {
        count += 1;
        return count === 1 ? torn() : thePage();
      },
    });
    expect(await download(once.source)).toEqual(anArchive([project]));
    expect(once.opened).toHaveLength(3);
    rmSync(root, { recursive: true });
    const always = aSource({ page: async () => torn() });
    await expect(download(always.source)).rejects.toThrow('Projects changed during the export.');
    expect(readdirSync(root)).toEqual(['objects']);
  });

  test('leaves no export behind if a content is not available', async () => {
    const { source } = aSource({ object: () => contentOf('/00') });
    await expect(download(source)).rejects.toThrow('is damaged');
    expect(readdirSync(root)).toEqual(['objects']);
    expect(readdirSync(join(root, 'objects')).filter((name) => !name.endsWith('.part'))).toEqual(
      [],
    );
  }, 90_000);
});
