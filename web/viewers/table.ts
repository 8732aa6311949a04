import { fetchFile, fetchStart, ViewerError } from './parts/fetch-file.ts';
import { fetchUnlocked } from './parts/fetch-unlocked.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';
import { runWorker } from './parts/worker-answer.ts';
import { joinPortions, type Portion, type TablePart } from './tables/portions.ts';
import type { TableRequest, Workbook } from './tables/sheet.ts';
import { WorkbookView } from './tables/workbook-view.ts';

const mebibyte = 1024 * 1024;
/** The start of a longer text is a table too; other files are read whole. */
const mostTextBytes = 20 * mebibyte;
const workerSeconds = 30;

/** Resolves when the first rows are shown; the others follow. */
async function showTable({ source, name, stage }: ViewerRoot): Promise<void> {
  const { worker = '' } = stage.dataset;
  await new Promise<void>((resolve, reject) => {
    let view: WorkbookView | undefined;
    const show = (workbook: Workbook, progress: 'start' | 'whole') => {
      view ??= new WorkbookView(stage);
      view.show(workbook, progress);
      resolve();
    };
    const portions: Portion[] = [];
    runWorker<TableRequest, Workbook, TablePart>({
      script: worker,
      request: requestFor(source, name, stage),
      seconds: workerSeconds,
      onPart: (part) => {
        if ('start' in part) show(part.start, 'start');
        else portions.push(part);
      },
    })
      .then(async (workbook) => {
        show(joinPortions(workbook, portions), 'whole');
        if (workbook.encoding !== undefined) await offerEncodings(workbook.encoding);
      })
      .catch((error: unknown) => {
        if (error instanceof ViewerError) view?.stop(error.message);
        reject(error);
      });
  });
}

/** Texts that are not UTF-8 have a menu. */
async function offerEncodings(current: string): Promise<void> {
  const { addEncodingMenu } = await import('./parts/encoding-menu.ts');
  addEncodingMenu(current);
}

/** The file, and how its worker is to read it. */
async function requestFor(source: string, name: string, stage: HTMLElement) {
  const { megabytes, sqlite: database = '' } = stage.dataset;
  const most = Number(megabytes) * mebibyte;
  const fetchWhole = /\.xl[st][xmb]$/i.test(name) ? fetchUnlocked : fetchFile;
  const { bytes, cut } = /\.[ct]sv$/i.test(name)
    ? await fetchStart(source, mostTextBytes)
    : { bytes: await fetchWhole(source, most, stage), cut: false };
  const { hash } = location;
  const encoding =
    hash === '' ? undefined : (await import('./parts/encoding-menu.ts')).chosenEncoding(hash);
  const sqlite = new URL(database, location.href).href;
  return { message: { name, bytes, isCut: cut, sqlite, encoding }, moved: [bytes.buffer] };
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(showTable);
