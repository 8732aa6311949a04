import { type Block, type Reading, type Run, type Section, textOfRuns } from './blocks.ts';

/** Contents are worth their room from this many places on, and stay short. */
const contents = { least: 3, most: 500, level: 3 } as const;

/** A place that the contents name. */
interface Place {
  title: string;
  level: number;
  target: HTMLElement;
}

/** A document as an article with its contents. */
export function writeReading(reading: Reading): HTMLElement {
  const article = element('article', 'prose');
  const places: Place[] = [];
  const sections = reading.sections.map((section) => sectionOf(section, places));
  const chapters = places.filter(({ level }) => level === 0);
  // Chapters are enough where there are any.
  const shown = (chapters.length > 1 ? chapters : places).slice(0, contents.most);
  const title = reading.title ?? '';
  const isTitled = places.some(({ title: one, level }) => level > 0 && one === title);
  article.append(
    ...(title === '' || isTitled ? [] : [withText('h1', title)]),
    remark(
      reading.remark ??
        'This page shows words, tables and pictures, without the layout of the document.',
    ),
    ...(shown.length < contents.least ? [] : [contentsOf(shown)]),
    ...sections,
    ...(sections.length === 0 ? [remark('The document has no text.')] : []),
    ...(reading.isCut ? [remark('The rest is left out. Download the file to see all of it.')] : []),
  );
  return article;
}

function sectionOf({ title, blocks }: Section, places: Place[]): HTMLElement {
  const section = element('section');
  if (title !== '') {
    section.setAttribute('aria-label', title);
    const first = blocks.find(({ kind }) => kind === 'heading');
    const own = first?.kind === 'heading' ? textOfRuns(first.runs).replace(/\s+/g, ' ').trim() : '';
    const isSlide = /^(?:Slide|Page) \d+$/.test(title);
    places.push({
      title: isSlide && own !== '' ? `${title}: ${own}` : title,
      level: 0,
      target: section,
    });
    if (own.toLowerCase() !== title.toLowerCase()) {
      const label = withText('p', title, 'number-of');
      label.dir = 'auto';
      section.append(label);
    }
  }
  section.append(...written(blocks, places));
  // Its first letter tells which way it is read; what has a `dir` of its own is not asked.
  section.dir = 'auto';
  return section;
}

/** Neighbouring items become a list. */
function written(blocks: readonly Block[], places: Place[]): HTMLElement[] {
  const elements: HTMLElement[] = [];
  let lists: HTMLElement[] = [];
  for (const block of blocks) {
    if (block.kind !== 'item') {
      lists = [];
      elements.push(...blockElement(block, places));
      continue;
    }
    lists.length = Math.min(lists.length, block.level);
    const isOther = lists.at(-1)?.localName !== listName(block);
    if (isOther && lists.length === block.level) lists.pop();
    while (lists.length < block.level) {
      const inner = listFor(block);
      const outer = lists.at(-1);
      if (outer === undefined) elements.push(inner);
      else (outer.lastElementChild ?? outer.appendChild(element('li'))).append(inner);
      lists.push(inner);
    }
    lists.at(-1)?.append(withRuns('li', block.runs));
  }
  return elements;
}

type Item = Extract<Block, { kind: 'item' }>;

const listName = ({ number }: Item) => (number === undefined ? 'ul' : 'ol');

function listFor(item: Item): HTMLElement {
  const list = element(listName(item));
  if (item.number !== undefined) list.setAttribute('start', String(item.number));
  return list;
}

function blockElement(block: Exclude<Block, { kind: 'item' }>, places: Place[]): HTMLElement[] {
  switch (block.kind) {
    case 'heading': {
      // The page's own heading is the name of the file.
      const heading = withRuns(`h${Math.min(6, Math.max(2, block.level))}`, block.runs);
      const title = heading.textContent.replace(/\s+/g, ' ').trim();
      if (block.level <= contents.level)
        places.push({ title, level: block.level, target: heading });
      return [heading];
    }
    case 'paragraph':
      return [withRuns('p', block.runs)];
    case 'lines':
      return [withText('pre', block.text)];
    case 'box':
      return [withText('p', block.words, 'box')];
    case 'picture':
      return [pictureOf(block.bytes, block.words)];
    case 'drawing':
      return [drawingOf(block)];
    case 'table':
      return [tableOf(block.rows, places)];
  }
}

function tableOf(rows: readonly (readonly Block[])[][], places: Place[]): HTMLElement {
  const scroll = element('div', 'scroll');
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'group');
  scroll.setAttribute('aria-label', 'Table');
  const table = document.createElement('table');
  // Browsers take a table of one cell, or without lines, for layout, and screen readers do not say it.
  table.setAttribute('role', 'table');
  const body = table.createTBody();
  for (const cells of rows) {
    const row = body.insertRow();
    for (const blocks of cells) row.insertCell().append(...written(blocks, places));
  }
  scroll.append(table);
  return scroll;
}

/** The first bytes of pictures that browsers show; a drawing could repeat itself without end. */
const pictureTypes: readonly (readonly [RegExp, string])[] = [
  [/^\u0089PNG/, 'image/png'],
  [/^\u00FF\u00D8\u00FF/, 'image/jpeg'],
  [/^GIF8/, 'image/gif'],
  [/^RIFF....WEBP/s, 'image/webp'],
  [/^BM/, 'image/bmp'],
];

/** A picture that is shown again has the same address. */
const addresses = new WeakMap<Uint8Array, string>();

function addressOf(bytes: Uint8Array<ArrayBuffer>, type: string): string {
  const address = addresses.get(bytes) ?? URL.createObjectURL(new Blob([bytes], { type }));
  addresses.set(bytes, address);
  return address;
}

function pictureOf(bytes: Uint8Array<ArrayBuffer>, words: string): HTMLElement {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const type = pictureTypes.find(([mark]) => mark.test(start))?.[1];
  if (type === undefined) return withText('p', words || 'A picture of another format', 'box');
  const image = document.createElement('img');
  image.loading = 'lazy';
  image.alt = words || 'Picture';
  image.src = addressOf(bytes, type);
  image.addEventListener('error', () => image.replaceWith(withText('span', image.alt, 'absent')), {
    once: true,
  });
  const paragraph = element('p');
  paragraph.append(image);
  return paragraph;
}

function drawingOf({ svg, width, height, words }: Extract<Block, { kind: 'drawing' }>) {
  const image = document.createElement('img');
  Object.assign(image, { alt: words, width, height });
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const paragraph = element('p');
  paragraph.append(image);
  return paragraph;
}

function contentsOf(places: readonly Place[]): HTMLElement {
  const details = element('details', 'contents');
  details.setAttribute('aria-label', 'Contents');
  const list = element('ul');
  for (const [index, { title, level, target }] of places.entries()) {
    target.id = `part-${index + 1}`;
    const link = withText('a', title);
    link.setAttribute('href', `#${target.id}`);
    const item = element('li', level > 1 ? `of-h${level}` : '');
    item.append(link);
    list.append(item);
  }
  details.append(withText('summary', 'Contents'), list);
  return details;
}

function withRuns(name: string, runs: readonly Run[]): HTMLElement {
  const made = element(name);
  for (const { text, isBold, isItalic, href } of runs) {
    const isLink = href !== undefined && /^(?:https?:|mailto:)/i.test(href);
    let place = made;
    const wrap = (tag: string) => {
      const inner = element(tag);
      place.append(inner);
      place = inner;
    };
    if (isLink) {
      wrap('a');
      place.setAttribute('href', href);
    }
    if (isBold === true) wrap('strong');
    if (isItalic === true) wrap('em');
    place.append(text);
  }
  return made;
}

function withText(name: string, text: string, className = ''): HTMLElement {
  const made = element(name, className);
  made.textContent = text;
  return made;
}

function remark(text: string): HTMLElement {
  return withText('p', text, 'hint');
}

function element(name: string, className = ''): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  return made;
}
