import type { AccountArchive, ExportPage } from '../contract/account-export.ts';
import { workPool } from '../core/projects/publishing/work-pool.ts';
import { gatherPages } from '../core/transfer/gather-pages.ts';
import { type ObjectFacts, objectName } from '../core/transfer/object-name.ts';
import type { ExportFolder } from './export-folder.ts';
import type { ExportSource } from './export-source.ts';
import { TransferError } from './transfer-error.ts';

/** What downloading an export needs. */
export interface DownloadDeps {
  source: ExportSource;
  folder: ExportFolder;
  /** Told after every page. */
  report(progress: Progress): void;
}

/** Distinct contents that are in the folder, and how many of them were fetched now. */
export interface Progress {
  objects: number;
  fetched: number;
  bytes: number;
}

const underWay = { count: 8, bytes: Number.POSITIVE_INFINITY };
const passes = 3;
const tries = 4;

/**
 * Fetches a whole account into the folder; what is there and right is not fetched again, so that
 * the same call goes on with one that was cut off. `export.json` is written last.
 * @throws TransferError
 */
export async function downloadExport(deps: DownloadDeps): Promise<AccountArchive> {
  const objects = objectFetcher(deps);
  for (let pass = 1; pass <= passes; pass += 1) {
    const { archive, torn } = await fetchPages(deps, objects);
    if (torn.length > 0) continue;
    await deps.folder.writeArchive(archive);
    return archive;
  }
  throw new TransferError('Projects kept changing while they were exported. Run it again.');
}

async function fetchPages(deps: DownloadDeps, objects: ObjectFetcher) {
  let page = await wholePage(deps.source, objects, undefined);
  const gathering = gatherPages(page);
  deps.report(objects.progress);
  while (page.next !== null) {
    page = await wholePage(deps.source, objects, page.next);
    gathering.add(page);
    deps.report(objects.progress);
  }
  return gathering.result();
}

/** A page with its contents in the folder. Asked for again when some are not to be had: links die. */
async function wholePage(
  source: ExportSource,
  objects: ObjectFetcher,
  cursor: string | undefined,
): Promise<ExportPage> {
  for (let turn = 1; ; turn += 1) {
    const page = await source.page(cursor);
    try {
      await objects.fetchAll(page);
      return page;
    } catch (error) {
      if (turn === passes) throw error;
    }
  }
}

interface ObjectFetcher {
  progress: Progress;
  fetchAll(page: ExportPage): Promise<void>;
}

function objectFetcher({ source, folder }: DownloadDeps): ObjectFetcher {
  const known = new Set<string>();
  const progress = { objects: 0, fetched: 0, bytes: 0 };
  const fetchOne = async (file: ObjectFacts & { url: string }) => {
    if (!(await folder.holds(file))) {
      await retried(async () => {
        if (await folder.keep(file, await source.object(file.url))) return;
        throw new TransferError(`A stored file is damaged: ${objectName(file)}.`);
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
      const pool = workPool(underWay);
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

async function retried(work: () => Promise<void>): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (turn === tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** turn));
    }
  }
}
