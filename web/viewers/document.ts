import { defaultOptions, type Options, parseAsync, renderDocument } from 'docx-preview';
import { boundedArchive } from './parts/bounded-archive.ts';
import { fetchFile } from './parts/fetch-file.ts';
import { runViewer } from './parts/viewer-root.ts';
import { tameLinks } from './parts/tame-links.ts';

const maxBytes = 100 * 1024 * 1024;
/** Under this the text flows as wide as the screen is, because whole pages would be too small to read. */
const narrowPixels = 640;

const choices: Partial<Options> = {
  // A rule for a font counts in documents only, not in a shadow tree.
  ignoreFonts: true,
  renderAltChunks: false,
  useBase64URL: true,
};

/**
 * Makes the nodes. Sheets are taken out and styles set by property, because the page's policy
 * knows neither, and elements that could load or run something are left out.
 */
function maker(sheets: string[]): Options['h'] {
  return (element) => {
    if (typeof element === 'string' || element instanceof Node) return defaultOptions.h(element);
    const { style, ...bare } = element;
    if (element.tagName === 'style') {
      sheets.push((element.children ?? []).filter((text) => typeof text === 'string').join(''));
      return document.createComment('');
    }
    if (/^(?:iframe|script|object|embed|link|meta|base)$/i.test(element.tagName ?? '')) {
      return document.createComment('');
    }
    if (typeof style !== 'string') return defaultOptions.h(element);
    const node = defaultOptions.h(bare);
    if (node instanceof HTMLElement || node instanceof SVGElement) node.style.cssText = style;
    return node;
  };
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** Makes wide pages as small as there is room for. */
function fit(stage: HTMLElement, paper: HTMLElement): void {
  const pages = [...paper.querySelectorAll<HTMLElement>('section')];
  const widest = Math.max(...pages.map((page) => page.offsetWidth), 1);
  const update = () => {
    const room = stage.clientWidth;
    const narrow = room < narrowPixels;
    paper.classList.toggle('narrow', narrow);
    paper.style.zoom = narrow ? '1' : String(Math.min(1, room / widest));
  };
  new ResizeObserver(update).observe(stage);
  update();
}

/** Paper is white at night too: documents choose their colours for it. */
const ownStyles = `
:host{color-scheme:light;color:#000;font:1rem/1.4 Calibri,Carlito,"Segoe UI",Arial,sans-serif;text-align:left}
.docx-wrapper{background:none;padding:0;display:grid;gap:1.5rem;justify-items:center}
.docx-wrapper>section.docx{margin:0;box-shadow:0 0 0 1px #7775}
section.docx a{text-decoration:underline}
section.docx img{max-width:100%}
:focus-visible{outline:3px solid #17616d;outline-offset:2px}
.narrow .docx-wrapper{gap:1rem}
.narrow section.docx{width:100%!important;min-height:0!important;padding:1.25rem!important;overflow-x:auto}
.narrow section.docx table{max-width:100%;width:auto!important}
.narrow section.docx img{height:auto!important}
`;

// Last, because it runs at once: what stands below would not be there yet.
await runViewer(async ({ source, stage }) => {
  const archive = await boundedArchive(await fetchFile(source, maxBytes));
  const sheets: string[] = [];
  const options = { ...choices, h: maker(sheets) };
  const pages = await renderDocument(await parseAsync(archive, options), options);
  const paper = document.createElement('div');
  paper.className = 'paper';
  paper.append(...pages);
  tameLinks(paper);
  // Not a frame, so that the page grows with it and finds its text; styles stay inside all the same.
  const shadow = stage.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [...sheets, ownStyles].map(sheetOf);
  shadow.append(paper);
  fit(stage, paper);
});
