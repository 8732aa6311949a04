import { element, unhide } from './parts/viewer-root.ts';
import { ContentsPanel } from './pdf/contents.ts';
import { explainForm } from './pdf/form-remark.ts';
import { openDocument } from './pdf/open-document.ts';
import { mostPages, PageList } from './pdf/page-list.ts';
import { mostPrintedPages, printDocument } from './pdf/print.ts';
import { SearchForm } from './pdf/search-form.ts';

const sheets = element('.sheets', HTMLElement);
const pageField = element('[data-page]', HTMLInputElement);
const size = element('[data-size]', HTMLOutputElement);
const printing = element('[data-print]', HTMLButtonElement);
const finding = element('[data-do="find"]', HTMLButtonElement);
const { file = '', name = '', bytes = '', worker = '', data = '' } = sheets.dataset;

const zoomStep = 1.2;
/**
 * Longer documents get their text only near the pages in view: all of it would be the whole file.
 */
const searched = { pages: 300, bytes: 32 * 1024 * 1024 };

function showError(error: unknown): void {
  const name = error instanceof Error ? error.name : '';
  element('.desk', HTMLElement).hidden = true;
  element('.bar', HTMLElement).hidden = true;
  if (/^(?:InvalidPDF|Format|Unknown)/.test(name)) unhide('#damaged');
  else unhide('#unfetched');
}

async function start(): Promise<void> {
  const opened = await openDocument({ file, bytes: Number(bytes), worker, data }, showError);
  const { pdf } = opened;
  element('.desk', HTMLElement).hidden = false;
  const first = (await pdf.getPage(1)).getViewport({ scale: 1 });
  unhide('.bar');
  const pages = new PageList(pdf, sheets, first);
  element('[data-pages]', HTMLElement).textContent = String(pdf.numPages);
  pages.onScale = () => {
    size.value = `${pages.percent} %`;
  };
  pages.onScale();
  const goTo = (number: number) => {
    pages.goTo(number);
    pageField.value = String(pages.current());
  };
  const contents = new ContentsPanel(opened, goTo);
  const search = new SearchForm(pdf, pages);
  followReader(pages, goTo);
  listen({
    in: () => pages.zoom(zoomStep),
    out: () => pages.zoom(1 / zoomStep),
    fit: () => pages.fit(),
    next: () => goTo(pages.current() + 1),
    before: () => goTo(pages.current() - 1),
    contents: () => contents.toggle(),
    find: () => search.open(),
    print: () => void printAll(),
  });
  const printAll = async () => {
    if (printing.disabled) return;
    printing.disabled = true;
    // The pages of such a form are elements, which a browser prints by itself.
    if (pdf.isPureXfa) await pages.writeAll().then(() => print());
    else {
      await printDocument(pdf, (ready) => {
        printing.textContent = `${ready} of ${pdf.numPages}`;
      });
    }
    printing.disabled = false;
    printing.textContent = 'Print';
  };
  element('#cut', HTMLElement).hidden = pdf.numPages <= mostPages;
  printing.hidden = pdf.numPages > mostPrintedPages;
  // A search would read every page that the document says it has.
  finding.hidden = pdf.numPages > mostPages;
  await explainForm(opened, name);
  if (pdf.numPages <= searched.pages && Number(bytes) <= searched.bytes) await pages.writeAll();
}

/** The field says which page is in view, and the address may name one. */
function followReader(pages: PageList, goTo: (number: number) => void): void {
  const goToHash = () => {
    const [, page] = /^#page=(\d+)$/.exec(location.hash) ?? [];
    if (page !== undefined) goTo(Number(page));
  };
  goToHash();
  addEventListener('hashchange', goToHash);
  pageField.addEventListener('change', () =>
    goTo(Number.parseInt(pageField.value, 10) || pages.current()),
  );
  const follow = () => {
    if (document.activeElement !== pageField) pageField.value = String(pages.current());
  };
  addEventListener('scroll', follow, { passive: true });
}

const keys: Record<string, string> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'fit',
  ArrowRight: 'next',
  ArrowLeft: 'before',
  n: 'next',
  p: 'before',
  c: 'contents',
};
/**
 * Keys with Ctrl or Command. The browser's own search and print know only the pages near the
 * viewport.
 */
const commands: Record<string, string> = { f: 'find', p: 'print' };

/** What the buttons and keys do, by the names of the buttons' `data-do`. */
function listen(actions: Readonly<Record<string, () => void>>): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('.bar [data-do]')) {
    button.addEventListener('click', () => actions[button.dataset['do'] ?? '']?.());
  }
  document.addEventListener('keydown', (event) => {
    const action = actions[actionFor(event)];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}

/** What some documents are too long for, by name. */
const offered: Record<string, HTMLElement> = { find: finding, print: printing };

/** '' for a key that does nothing here. */
function actionFor({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): string {
  const isCommand = ctrlKey || metaKey;
  if (altKey || (isEditable(target) && !isCommand)) return '';
  const name = (isCommand ? commands : keys)[key] ?? '';
  if (offered[name]?.hidden === true) return '';
  // Whoever presses Ctrl+F again wants the browser's own search.
  return name === 'find' && isIn('.finder', target) ? '' : name;
}

function isEditable(target: EventTarget | null): boolean {
  return isIn('input, textarea, select', target);
}

function isIn(selector: string, target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

start().catch(showError);
