import { fetchFile, fetchStart, ViewerError } from './parts/fetch-file.ts';
import { runViewer, type ViewerRoot } from './parts/viewer-root.ts';
import { runWorker } from './parts/worker-answer.ts';
import { joinPortions, type Portion, type TablePart } from './tables/portions.ts';
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
  await new Promise<void>((resolve, reject) => {
    let view: WorkbookView | undefined;
    const show = (workbook: Workbook, progress: 'start' | 'whole') => {
      view ??= new WorkbookView(stage);
      view.show(workbook, progress);
      resolve();
    };
    const portions: Portion[] = [];
    runWorker<TableRequest, Workbook, TablePart>({
      script: isText ? tableWorker : sheetWorker,
      request: requestFor(source, name, isText),
      seconds: workerSeconds,
      onPart: (part) => {
        if ('start' in part) show(part.start, 'start');
        else portions.push(part);
      },
    })
      .then((workbook) => show(joinPortions(workbook, portions), 'whole'))
      .catch((error: unknown) => {
        if (error instanceof ViewerError) view?.stop(error.message);
        reject(error);
      });
  });
}

/** The file, and how its worker is to read it. */
async function requestFor(source: string, name: string, isText: boolean) {
  const { bytes, cut } = isText
    ? await fetchStart(source, most.textBytes)
    : { bytes: await fetchFile(source, most.spreadsheetBytes), cut: false };
  return { message: { name, bytes, isCut: cut }, moved: [bytes.buffer] };
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(showTable);
