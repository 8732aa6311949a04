import {
  getDocument,
  GlobalWorkerOptions,
  PasswordResponses,
  type PDFDocumentProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { element, unhide } from './parts/viewer-root.ts';
import { PdfPageView } from './parts/pdf-page.ts';
import { chunkBytes, RangeSource } from './parts/pdf-source.ts';

const sheets = element('.sheets', HTMLElement);
const pageField = element('.tools input', HTMLInputElement);
const size = element('.tools output', HTMLOutputElement);
const { file = '', bytes = '', worker = '', data = '' } = sheets.dataset;

/** CSS pixels for a point of 1/72 inch. */
const pixelsPerPoint = 96 / 72;
const widest = 1.25 * pixelsPerPoint;
const step = 1.2;
/** Text of longer documents is put in place only where the reader is: it would be fetched whole. */
const searched = { pages: 300, bytes: 32 * 1024 * 1024 };

let pages: PdfPageView[] = [];
let pageWidth = 612;
let scale = 1;
let isFitted = true;
const near = new Set<PdfPageView>();

function showError(error: unknown): void {
  const name = error instanceof Error ? error.name : '';
  sheets.hidden = true;
  element('.tools', HTMLElement).hidden = true;
  if (/^(?:InvalidPDF|Format|Unknown)/.test(name)) unhide('#damaged');
  else unhide('#unfetched');
}

async function open(): Promise<PDFDocumentProxy> {
  GlobalWorkerOptions.workerSrc = worker;
  const task = getDocument({
    range: new RangeSource(file, Number(bytes), showError),
    rangeChunkSize: chunkBytes,
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    // Ours look the same everywhere.
    useSystemFonts: false,
    enableXfa: false,
    cMapUrl: `${data}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${data}standard_fonts/`,
    wasmUrl: `${data}wasm/`,
    iccUrl: `${data}iccs/`,
  });
  task.onPassword = (answer: (password: string) => void, reason: number) => {
    askPassword(answer, reason === PasswordResponses.INCORRECT_PASSWORD);
  };
  return task.promise;
}

const passwordForm = element('#locked', HTMLFormElement);

/** The password stays in this page: pdf.js opens the document here. */
function askPassword(answer: (password: string) => void, wasWrong: boolean): void {
  const field = element('#locked input', HTMLInputElement);
  passwordForm.hidden = false;
  sheets.hidden = true;
  element('#locked output', HTMLOutputElement).value = wasWrong ? 'This password is wrong.' : '';
  field.value = '';
  field.focus();
  const send = (event: Event) => {
    event.preventDefault();
    answer(field.value);
  };
  // The field is required, so that nothing is sent while it is empty.
  passwordForm.addEventListener('submit', send, { once: true });
}

async function start(): Promise<void> {
  const pdf = await open();
  passwordForm.hidden = true;
  sheets.hidden = false;
  const first = (await pdf.getPage(1)).getViewport({ scale: 1 });
  pageWidth = first.width;
  pages = Array.from(
    { length: pdf.numPages },
    (_, index) => new PdfPageView(pdf, index + 1, first),
  );
  sheets.replaceChildren(...pages.map((page) => page.element));
  element('[data-pages]', HTMLElement).textContent = String(pdf.numPages);
  unhide('.tools');
  fit();
  follow();
  goToHash();
  await pages[0]?.draw(scale);
  if (pdf.numPages > searched.pages || Number(bytes) > searched.bytes) return;
  for (const page of pages) await page.write();
}

/** Draws what comes near and forgets what goes away. */
function follow(): void {
  const byElement = new Map(pages.map((page) => [page.element, page] as const));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const page = target instanceof HTMLElement ? byElement.get(target) : undefined;
        if (page === undefined) continue;
        if (isIntersecting) {
          near.add(page);
          void page.draw(scale);
        } else {
          near.delete(page);
          page.clear();
        }
      }
    },
    { rootMargin: '75% 0px' },
  );
  for (const page of pages) observer.observe(page.element);
}

let redrawing: ReturnType<typeof setTimeout> | undefined;

function setScale(wanted: number): void {
  // Before the first time no page has a height.
  const current = size.value === '' ? 1 : currentPage();
  scale = Math.min(8, Math.max(0.2, wanted));
  sheets.style.setProperty('--total-scale-factor', String(scale));
  size.value = `${Math.round((scale / pixelsPerPoint) * 100)} %`;
  if (current > 1) pages[current - 1]?.element.scrollIntoView({ behavior: 'instant' });
  clearTimeout(redrawing);
  redrawing = setTimeout(() => {
    for (const page of near) void page.draw(scale);
  }, 150);
}

function fit(): void {
  isFitted = true;
  const { paddingLeft, paddingRight } = getComputedStyle(sheets);
  const room =
    sheets.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  setScale(Math.min(room / pageWidth, widest));
}

function zoom(factor: number): void {
  isFitted = false;
  setScale(scale * factor);
}

/** The page that is in the upper half of the window. */
function currentPage(): number {
  let low = 0;
  let high = pages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const top = pages[middle]?.element.getBoundingClientRect().top ?? 0;
    if (top <= innerHeight / 2) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function goTo(page: number): void {
  const index = Math.min(pages.length, Math.max(1, page)) - 1;
  pages[index]?.element.scrollIntoView({ behavior: 'instant' });
  pageField.value = String(index + 1);
}

function goToHash(): void {
  const [, page] = /^#page=(\d+)$/.exec(location.hash) ?? [];
  if (page !== undefined) goTo(Number(page));
}

const actions: Record<string, () => void> = {
  in: () => zoom(step),
  out: () => zoom(1 / step),
  fit,
  next: () => goTo(currentPage() + 1),
  before: () => goTo(currentPage() - 1),
};
const keys: Record<string, string> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  '0': 'fit',
  ArrowRight: 'next',
  ArrowLeft: 'before',
  n: 'next',
  p: 'before',
};

for (const button of document.querySelectorAll<HTMLButtonElement>('.tools button')) {
  const { zoom: way, step: by } = button.dataset;
  const name = way ?? (by === '1' ? 'next' : 'before');
  button.addEventListener('click', () => actions[name]?.());
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement)
    return;
  const action = actions[keys[event.key] ?? ''];
  if (action === undefined || pages.length === 0) return;
  event.preventDefault();
  action();
});

pageField.addEventListener('change', () =>
  goTo(Number.parseInt(pageField.value, 10) || currentPage()),
);
addEventListener('hashchange', goToHash);
addEventListener(
  'scroll',
  () => {
    if (document.activeElement !== pageField) pageField.value = String(currentPage());
  },
  { passive: true },
);
addEventListener('resize', () => {
  if (isFitted && pages.length > 0) fit();
});

start().catch(showError);
