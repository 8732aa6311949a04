import { fetchFile, fetchStart, ViewerError } from './parts/fetch-file.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';
import { runWorker } from './parts/worker-answer.ts';
import type { TableRequest, Workbook } from './tables/sheet.ts';
import { WorkbookView } from './tables/workbook-view.ts';

const mebibyte = 1024 * 1024;
/** The start of a longer text is a table too; a spreadsheet is only whole. */
const most = { textBytes: 20 * mebibyte, spreadsheetBytes: 40 * mebibyte } as const;
const workerSeconds = 30;

/** Resolves when the first rows are shown; the others follow. */
async function showTable({ source, name, stage }: ViewerRoot): Promise<void> {
  const { sheetWorker = '', tableWorker = '' } = stage.dataset;
  const isText = /\.[ct]sv$/i.test(name);
  const { bytes, cut } = isText
    ? await fetchStart(source, most.textBytes)
    : { bytes: await fetchFile(source, most.spreadsheetBytes), cut: false };
  await new Promise<void>((resolve, reject) => {
    let view: WorkbookView | undefined;
    const show = (workbook: Workbook, progress: 'start' | 'whole') => {
      view ??= new WorkbookView(stage);
      view.show(workbook, progress);
      resolve();
    };
    runWorker<TableRequest, Workbook>({
      script: isText ? tableWorker : sheetWorker,
      request: { name, bytes, isCut: cut },
      moved: [bytes.buffer],
      seconds: workerSeconds,
      onStart: (start) => show(start, 'start'),
    })
      .then((workbook) => show(workbook, 'whole'))
      .catch((error: unknown) => {
        if (error instanceof ViewerError) view?.stop(error.message);
        reject(error);
      });
  });
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(showTable);
