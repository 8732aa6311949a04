import { element, unhide } from './parts/viewer-root.ts';

const listing = element('.listing', HTMLElement);
const copy = element('[data-copy]', HTMLButtonElement);
const wrap = element('[data-wrap]', HTMLButtonElement);
const lineField = element('.tools input', HTMLInputElement);
const copyText = copy.textContent;

unhide('.tools');

copy.addEventListener('click', () => {
  const text = listing.textContent;
  void navigator.clipboard.writeText(text).then(
    () => showStatus('Copied'),
    () => showStatus('Press Ctrl+C'),
  );
});

function showStatus(word: string): void {
  if (word !== 'Copied') getSelection()?.selectAllChildren(listing);
  copy.textContent = word;
  setTimeout(() => {
    copy.textContent = copyText;
  }, 2000);
}

wrap.addEventListener('click', () => {
  const isOn = listing.classList.toggle('wrapped');
  wrap.setAttribute('aria-pressed', String(isOn));
});

/** `L10-L20` or `10-20`: the first line and the last one; `undefined` where it names none. */
function readLines(text: string): [number, number] | undefined {
  const [, first, last = first] = /^L?(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(text.trim()) ?? [];
  if (first === undefined) return undefined;
  const [from = 0, to = 0] = [Number(first), Number(last)].sort((a, b) => a - b);
  return [from, to];
}

function formatLines([from, to]: [number, number]): string {
  return from === to ? `L${from}` : `L${from}-L${to}`;
}

/** Blocks of lines that have no numbers yet, by the number of their first line. */
const unnumbered = new Map<number, HTMLElement>();

/** Numbers the lines of long files where the reader is, and keeps their text as it is. */
function followReader(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting || !(target instanceof HTMLElement)) continue;
        observer.unobserve(target);
        numberBlock(target);
      }
    },
    { rootMargin: '100% 0px' },
  );
  for (const block of listing.querySelectorAll<HTMLElement>('[data-first]')) {
    unnumbered.set(Number(block.dataset['first']), block);
    observer.observe(block);
  }
  if (unnumbered.size > 0) listing.classList.remove('plain');
}

function numberBlock(block: HTMLElement): void {
  const first = Number(block.dataset['first']);
  if (!unnumbered.delete(first)) return;
  const lines = block.textContent.slice(0, -1).split('\n');
  block.replaceChildren(...lines.map((text, index) => numberedLine(text, first + index)));
}

function numberedLine(text: string, number: number): HTMLElement {
  const line = document.createElement('span');
  line.className = 'line';
  line.id = `L${number}`;
  const link = document.createElement('a');
  link.href = `#L${number}`;
  link.dataset['n'] = String(number);
  link.tabIndex = -1;
  link.setAttribute('aria-hidden', 'true');
  line.append(link, `${text}\n`);
  return line;
}

function highlightLines(): void {
  for (const line of listing.querySelectorAll('.on')) line.classList.remove('on');
  const lines = readLines(location.hash.slice(1));
  if (lines === undefined) return;
  const [from, to] = lines;
  for (const [first, block] of unnumbered) {
    const last = first + block.textContent.split('\n').length - 2;
    if (first <= to && last >= from) numberBlock(block);
  }
  const marked: Element[] = [];
  for (let number = from; number <= to; number += 1) {
    const line = document.querySelector(`#L${number}`);
    if (line === null) break;
    line.classList.add('on');
    marked.push(line);
  }
  marked[0]?.scrollIntoView({ block: from === to ? 'center' : 'start', behavior: 'instant' });
}

listing.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const clicked = readLines(link?.hash.slice(1) ?? '');
  const before = readLines(location.hash.slice(1));
  if (clicked === undefined || before === undefined || !event.shiftKey) return;
  event.preventDefault();
  const [line] = clicked;
  location.hash = formatLines([Math.min(before[0], line), Math.max(before[0], line)]);
});

lineField.addEventListener('change', () => {
  const lines = readLines(lineField.value);
  if (lines !== undefined) location.hash = formatLines(lines);
});

addEventListener('hashchange', highlightLines);
followReader();
highlightLines();
