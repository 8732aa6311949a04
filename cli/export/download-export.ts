import type {
  AccountExport,
  ExportPage,
  ExportPageVersion,
} from '../../contract/account-export.ts';
import { backOff } from '../../core/back-off.ts';
import { workPool } from '../../core/projects/publishing/work-pool.ts';
import { archiveBuilder } from '../../core/transfer/gather-pages.ts';
import { objectName } from '../../core/transfer/exported-files.ts';
import type { ExportFolder } from './export-folder.ts';
import type { ExportSource } from './export-source.ts';
import { CommandError, exitCodes } from '../command-error.ts';

export interface DownloadDeps {
  source: ExportSource;
  folder: ExportFolder;
  signal: AbortSignal;
  /** Called after every page. */
  report(progress: Progress): void;
}

/** Distinct files in the folder, and how many of them were downloaded in this run. */
export interface Progress {
  objects: number;
  fetched: number;
  bytes: number;
}

/** The service sends six files at once to one address. */
const downloadLimits = { count: 4, bytes: Number.POSITIVE_INFINITY };
const maxPasses = 3;
const maxTries = 4;
const betweenTries = { firstMs: 800, longestMs: 6400 };

/**
 * Downloads a whole account into the folder. Files that are already there and intact are not
 * downloaded again, so a second call continues an interrupted one. `export.json` is written last.
 * @throws CommandError
 */
export async function downloadExport(deps: DownloadDeps): Promise<AccountExport> {
  const objects = objectFetcher(deps);
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    const { archive, incomplete } = await fetchPages(deps, objects);
    if (incomplete.length > 0) continue;
    await deps.folder.writeArchive(archive);
    return archive;
  }
  throw new CommandError(exitCodes.refused, 'Projects changed during the export.', {
    next: 'Run the same command again.',
  });
}

async function fetchPages(deps: DownloadDeps, objects: ObjectFetcher) {
  let page = await downloadPage(deps, objects, undefined);
  const gathering = archiveBuilder(page);
  deps.report(objects.progress);
  while (page.next !== null) {
    page = await downloadPage(deps, objects, page.next);
    gathering.add(page);
    deps.report(objects.progress);
  }
  return gathering.result();
}

/** Downloads one page with its files. Requests the page again when a file fails, because its links expire. */
async function downloadPage(
  { source, signal }: DownloadDeps,
  objects: ObjectFetcher,
  cursor: string | undefined,
): Promise<ExportPage> {
  for (let turn = 1; ; turn += 1) {
    const page = await source.page(cursor);
    try {
      await objects.fetchAll(page);
      return page;
    } catch (error) {
      if (turn === maxPasses || signal.aborted) throw error;
    }
  }
}

type LinkedFile = ExportPageVersion['files'][number];

interface ObjectFetcher {
  progress: Progress;
  fetchAll(page: ExportPage): Promise<void>;
}

function objectFetcher({ source, folder, signal }: DownloadDeps): ObjectFetcher {
  const known = new Set<string>();
  const progress = { objects: 0, fetched: 0, bytes: 0 };
  // An empty file has no link.
  const open = ({ url, size }: LinkedFile) =>
    url === undefined ? noBytes() : source.object(url, size);
  const fetchOne = async (file: LinkedFile) => {
    if (!(await folder.holds(file))) {
      await withRetries(signal, async () => {
        if (await folder.write(file, open(file))) return;
        throw new CommandError(exitCodes.refused, `A stored file is damaged: ${objectName(file)}.`);
      });
      progress.fetched += 1;
    }
    known.add(objectName(file));
    progress.objects += 1;
    progress.bytes += file.size;
  };
  return {
    progress,
    async fetchAll({ projects }) {
      const pool = workPool(downloadLimits);
      const all = projects.flatMap(({ versions }) => versions.flatMap(({ files }) => files));
      const distinct = new Map(all.map((file) => [objectName(file), file]));
      try {
        for (const [name, file] of distinct) {
          if (!known.has(name)) await pool.add(file.size, () => fetchOne(file));
        }
      } finally {
        await pool.settled();
      }
    },
  };
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}

async function withRetries(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (turn === maxTries || signal.aborted) throw error;
      await backOff(turn, betweenTries);
    }
  }
}
