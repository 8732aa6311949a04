import {
  defaultOptions,
  type Options,
  parseAsync,
  renderDocument,
  type WordDocument,
} from 'docx-preview';
import { boundedPages, firstPages, tooManyParts } from './parts/first-pages.ts';
import { type ZipPart, officeLimits, unpackZipParts } from './parts/zip-parts.ts';
import { writeStoredZip } from './parts/write-stored-zip.ts';
import { fetchUnlocked } from './parts/fetch-unlocked.ts';
import { runViewer } from './parts/viewer-root.ts';
import { restrictLinks } from './parts/restrict-links.ts';
import { pictureTexts } from './word/picture-texts.ts';
import { simplifyWord } from './word/simplify-word.ts';

const maxBytes = 100 * 1024 * 1024;
/**
 * On a narrower screen the text flows as wide as the screen is, because whole pages would be too small to
 * read.
 */
const narrowPixels = 640;

const choices: Partial<Options> = {
  // `@font-face` has no effect in a shadow tree.
  ignoreFonts: true,
  renderAltChunks: false,
  renderComments: true,
  useBase64URL: true,
};

/** More than any document needs that {@link boundedPages} lets through. */
const mostNodes = 400_000;

/** Pictures in it are not loaded. */
const draft = document.implementation.createHTMLDocument();

/**
 * Creates the nodes in a detached document. The page's content security policy forbids style sheets
 * and style attributes, so it collects the sheets and sets styles by property. It omits elements
 * that could load or run something.
 * @throws ViewerError above {@link mostNodes}, which only a header, a note or a grid reaches that is repeated on and on
 */
function sanitizingNodeFactory(sheets: string[]): Options['h'] {
  let count = 0;
  return (element) => {
    count += 1;
    if (count > mostNodes) throw tooManyParts();
    if (typeof element === 'string' || element instanceof Node) return defaultOptions.h(element);
    const { style, ...bare } = element;
    if (element.tagName === 'style') {
      sheets.push((element.children ?? []).filter((text) => typeof text === 'string').join(''));
      return draft.createComment('');
    }
    if (/^(?:iframe|script|object|embed|link|meta|base)$/i.test(element.tagName ?? '')) {
      return draft.createComment('');
    }
    const node = draft.adoptNode(defaultOptions.h(typeof style === 'string' ? bare : element));
    if (typeof style === 'string' && (node instanceof HTMLElement || node instanceof SVGElement)) {
      node.style.cssText = style;
    }
    return node;
  };
}

interface Parsed {
  children?: Parsed[];
  parent?: Parsed;
}

/** `docx-preview` asks parts of a formula for their parent, which it sets in the text, headers and footers alone. */
function joinNotes(document: WordDocument): void {
  const stories: Parsed[][] = [
    document.footnotesPart?.notes,
    document.endnotesPart?.notes,
    document.commentsPart?.comments,
  ];
  for (const story of stories) story?.forEach(join);
}

function join(parent: Parsed): void {
  for (const child of parent.children ?? []) {
    child.parent = parent;
    join(child);
  }
}

/** `docx-preview` leaves the alternative texts of pictures out. Its pictures are in the order of the file. */
function describePictures(paper: HTMLElement, texts: readonly string[]): void {
  const pictures = [...paper.querySelectorAll<HTMLImageElement>('article img')];
  for (const picture of paper.querySelectorAll('img')) picture.alt = '';
  if (pictures.length !== texts.length) return;
  for (const [index, picture] of pictures.entries()) picture.alt = texts[index] ?? '';
}

/** Puts a box with a reason where a picture cannot be shown: it is elsewhere, or a Windows metafile. */
function replaceUnshownPictures(paper: HTMLElement): void {
  for (const picture of paper.querySelectorAll('img, image')) {
    const address = picture.getAttribute('src') ?? picture.getAttribute('href') ?? '';
    const drawing = /^data:image\/(?:x-)?([ew]mf)/i.exec(address)?.[1];
    if (drawing !== undefined) {
      picture.replaceWith(absentPicture(`Drawing (${drawing.toUpperCase()})`, picture));
    } else if (!address.startsWith('data:')) {
      picture.replaceWith(absentPicture('Picture that is not in this file', picture));
    }
  }
  // Its error does not bubble.
  paper.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof Element) target.replaceWith(absentPicture('Damaged picture', target));
    },
    { capture: true },
  );
}

function absentPicture(text: string, picture: Element): HTMLElement {
  const box = document.createElement('span');
  box.className = 'absent-picture';
  box.textContent = text;
  if (picture instanceof HTMLElement) {
    box.style.width = picture.style.width;
    box.style.height = picture.style.height;
  }
  return box;
}

function styleSheetFrom(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** Scales wide pages down to the width of the stage; returns how to stop. */
function fit(stage: HTMLElement, paper: HTMLElement): () => void {
  const pages = [...paper.querySelectorAll<HTMLElement>('section')];
  const widest = Math.max(...pages.map((page) => page.offsetWidth), 1);
  const update = () => {
    const room = stage.clientWidth;
    const narrow = room < narrowPixels;
    paper.classList.toggle('narrow', narrow);
    paper.style.zoom = narrow ? '1' : String(Math.min(1, room / widest));
  };
  const observer = new ResizeObserver(update);
  observer.observe(stage);
  update();
  return () => observer.disconnect();
}

/**
 * Paper is white at night too: documents choose their colours for it. Text without a size has 10
 * points (ECMA-376, part 1, section 17.3.2.38). Pages out of view are laid out when they come near,
 * except in documents with numbered lists: containment would begin their counters anew (CSS Containment, "style
 * containment").
 */
const ownStyles = `
:host{color-scheme:light;color:#000;font:10pt/1.4 Calibri,Carlito,"Segoe UI",Arial,sans-serif;text-align:left}
.docx-wrapper{background:none;padding:0;display:grid;gap:1.5rem;justify-items:center}
.docx-wrapper>section.docx{contain:paint;margin:0;box-shadow:0 0 0 1px #7775}
:not(.numbered)>.docx-wrapper>section.docx{content-visibility:auto;contain-intrinsic-size:auto 50rem auto 70rem}
.absent-picture{display:inline-grid;place-content:center;box-sizing:border-box;overflow:hidden;min-width:2rem;max-width:100%;padding:.25rem;border:1px dashed #777;color:#555;font:.8125rem/1.3 sans-serif;text-align:center}
.docx-wrapper .docx-comment-popover{display:block;position:static;float:right;clear:right;box-sizing:border-box;width:14rem;max-width:45%;margin:0 0 .5rem .75rem;padding:.375rem .625rem;border-left:3px solid #b0772a;background:#fff6e0;box-shadow:none;color:#222;font:.8125rem/1.4 sans-serif;text-align:left;text-indent:0}
.docx-wrapper .docx-comment-ref{font-size:0}.docx-comment-ref::after{content:"*";font-size:10pt}
.docx-wrapper :is(.docx-comment-author,.docx-comment-date){color:#555}
.follows{padding:1.5rem;color:#555;text-align:center}
section.docx a{text-decoration:underline}
section.docx img{max-width:100%}
:focus-visible{outline:3px solid #17616d;outline-offset:2px}
.narrow .docx-wrapper{gap:1rem}
.narrow section.docx{width:100%!important;min-height:0!important;padding:1.25rem!important;overflow-x:auto}
.narrow section.docx table{max-width:100%;width:auto!important}
.narrow section.docx div:has(>img){max-width:100%;height:auto!important}
.narrow section.docx img{left:auto!important;height:auto!important}
`;

/** The document as elements with their style sheets, harmless and apart from the page. */
async function layOut(parts: readonly ZipPart[]): Promise<[HTMLElement, string[]]> {
  const sheets: string[] = [];
  const options = { ...choices, h: sanitizingNodeFactory(sheets) };
  const parsed = await parseAsync(writeStoredZip(parts), options);
  joinNotes(parsed);
  const pages = await renderDocument(parsed, options);
  const paper = draft.createElement('div');
  paper.className = 'paper';
  paper.append(...pages);
  paper.classList.toggle('numbered', paper.querySelector('[class*="docx-num-"]') !== null);
  describePictures(paper, pictureTexts(parts));
  // A comment need not say when it was written.
  for (const date of paper.querySelectorAll('.docx-comment-date')) {
    if (/1970|Invalid/.test(date.textContent)) date.remove();
  }
  replaceUnshownPictures(paper);
  restrictLinks(paper);
  return [paper, sheets];
}

/** Not a frame, so that the page grows with it and finds its text; styles stay inside all the same. */
function showIn(stage: HTMLElement, [paper, sheets]: [HTMLElement, string[]]): () => void {
  const shadow = stage.shadowRoot ?? stage.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [...sheets, ownStyles].map(styleSheetFrom);
  shadow.replaceChildren(paper);
  return fit(stage, paper);
}

/** Resolves when the browser has painted, or after a moment where it paints nothing. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 500);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

function noteOf(text: string): HTMLElement {
  const note = draft.createElement('p');
  note.className = 'follows';
  note.setAttribute('role', 'status');
  note.textContent = text;
  return note;
}

/** Shows the first pages of a long document, with a note that others follow. */
async function showFirst(stage: HTMLElement, parts: readonly ZipPart[]): Promise<() => void> {
  const [paper, sheets] = await layOut(parts);
  paper.append(noteOf('The other pages follow …'));
  const stop = showIn(stage, [paper, sheets]);
  unveil();
  await painted();
  return stop;
}

function unveil(): void {
  const loading = document.querySelector<HTMLElement>('[data-loading]');
  if (loading !== null) loading.hidden = true;
}

// Last, because it runs immediately: constants below it would not be initialized yet.
await runViewer(async ({ source, stage }) => {
  const bytes = await fetchUnlocked(source, maxBytes, stage);
  const unpacked = await unpackZipParts(bytes, officeLimits);
  const { parts, isCut } = boundedPages(await simplifyWord(unpacked));
  const beginning = firstPages(parts);
  // Where the beginning alone cannot be laid out, the whole may be.
  const stop = beginning && (await showFirst(stage, beginning).catch(() => undefined));
  const whole = await layOut(parts);
  if (isCut) whole[0].append(noteOf('The rest is left out. Download the file to see all of it.'));
  stop?.();
  showIn(stage, whole);
});
