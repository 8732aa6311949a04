import { element, unhide } from './parts/viewer-root.ts';

const listing = element('.listing', HTMLElement);
const copy = element('[data-copy]', HTMLButtonElement);
const wrap = element('[data-wrap]', HTMLButtonElement);
/** Absent where there are too many lines to number. */
const lineField = document.querySelector<HTMLInputElement>('.tools input');

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
    copy.textContent = 'Copy';
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

function highlightLines(): void {
  for (const line of listing.querySelectorAll('.on')) line.classList.remove('on');
  const lines = readLines(location.hash.slice(1));
  if (lines === undefined) return;
  const [from, to] = lines;
  const marked = [...listing.querySelectorAll('.line')].slice(from - 1, to);
  for (const line of marked) line.classList.add('on');
  marked[0]?.scrollIntoView({ block: from === to ? 'center' : 'start' });
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

lineField?.addEventListener('change', () => {
  const lines = readLines(lineField.value);
  if (lines !== undefined) location.hash = formatLines(lines);
});

addEventListener('hashchange', highlightLines);
highlightLines();
