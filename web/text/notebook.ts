import { escaped, revealInvisible } from '../pages/parts/html.ts';
import { highlightedChars } from './code-markup.ts';
import { fence, markdownMarkup } from './markdown.ts';
import { pageMarkup } from './markdown/page-markup.ts';
import { inRoom, remark } from './notebook-room.ts';
import { mostPictureChars, notebookText } from './notebook-text.ts';
import { isRecord, parseRecord } from '../../core/json.ts';
import { runWithTimeout } from '../../core/run-with-timeout.ts';

type Fields = Readonly<Record<string, unknown>>;

const mostCells = 5000;
const mostOutputChars = 50_000;
/** Characters of Markdown and HTML, of all cells together; further texts are shown as they are written. */
const mostSetChars = 1024 * 1024;
const highlightMs = 2000;

/** What all cells of a notebook share. */
interface Setting {
  /** Code in colours, by its cell. */
  coloured: ReadonlyMap<Fields, string>;
  /** Characters that may still be set. */
  setChars: number;
  pictureChars: number;
  /** On the clock of `performance`: code of texts is not coloured after it. */
  endsAt: number;
}

/**
 * A Jupyter notebook (nbformat 2 to 4) as markup: its texts set, its code coloured, its outputs as
 * they were saved. Nothing of it runs. `undefined` if it is no notebook.
 *
 * The gate makes it during a visit if publishing stored none for this revision of the code, so the
 * work is bounded for the notebook as a whole, in characters.
 *
 * @param limitMs after this time its code is not coloured
 */
export function notebookMarkup(text: string, limitMs = highlightMs): string | undefined {
  const notebook = parseRecord(text);
  const all = notebook && cellsOf(notebook);
  if (notebook === undefined || all === undefined) return undefined;
  const cells = all.slice(0, mostCells);
  const endsAt = performance.now() + limitMs;
  const coloured = colourCode(cells, languageOf(notebook), limitMs);
  const setting = {
    coloured,
    setChars: mostSetChars,
    pictureChars: mostPictureChars,
    endsAt,
  };
  const parts = inRoom(cells.map((cell) => cellMarkup(cell, setting)));
  if (all.length > mostCells)
    parts.push(remark(`${all.length - mostCells} more cells are left out.`));
  return parts.join('\n');
}

/** All in one run with one limit: one for each cell would take longer than the colours do. */
function colourCode(cells: readonly Fields[], language: string, limitMs: number) {
  const coloured = new Map<Fields, string>();
  let room = highlightedChars;
  runWithTimeout(limitMs, () => {
    for (const cell of cells) {
      const source = sourceOf(cell);
      if (cell['cell_type'] !== 'code' || source.length > room) continue;
      room -= source.length;
      coloured.set(cell, fence(revealInvisible(source), language));
    }
  });
  return coloured;
}

function sourceOf(cell: Fields): string {
  return joined(cell['source'] ?? cell['input']);
}

function cellsOf({ cells, worksheets }: Fields): Fields[] | undefined {
  if (Array.isArray(cells)) return cells.filter(isRecord);
  // Up to nbformat 3, cells are in worksheets.
  if (!Array.isArray(worksheets)) return undefined;
  return worksheets.filter(isRecord).flatMap((sheet) => cellsOf({ cells: sheet['cells'] }) ?? []);
}

function languageOf({ metadata }: Fields): string {
  const kernel = isRecord(metadata) ? metadata['kernelspec'] : undefined;
  const info = isRecord(metadata) ? metadata['language_info'] : undefined;
  const names = [isRecord(kernel) && kernel['language'], isRecord(info) && info['name']];
  return names.find((name): name is string => typeof name === 'string') ?? 'python';
}

function cellMarkup(cell: Fields, setting: Setting): string {
  const source = sourceOf(cell);
  const type = cell['cell_type'];
  if (type === 'markdown') return setText(source, setting, cell['attachments']) ?? plain(source);
  if (type === 'heading') return setText(headingOf(cell, source), setting) ?? plain(source);
  if (type === 'html') return htmlMarkup(source) ?? plain(source);
  if (type !== 'code') return plain(source);
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isRecord) : [];
  const code = setting.coloured.get(cell) || escaped(revealInvisible(source));
  const input = source === '' ? '' : `<pre class="input"><code>${code}</code></pre>`;
  const shown = outputs.map((output) => outputMarkup(output, setting)).join('');
  return `<div class="cell">${input}${shown}</div>`;
}

/** nbformat 2 and 3 have headings of six levels. */
function headingOf({ level }: Fields, source: string): string {
  const marks = typeof level === 'number' ? Math.min(6, Math.max(1, Math.round(level))) : 2;
  return `${'#'.repeat(marks)} ${source.replace(/\n/g, ' ')}`;
}

function setText(source: string, setting: Setting, attachments?: unknown): string | undefined {
  if (!takeRoom(source, setting)) return undefined;
  const { markdown, withPictures } = notebookText(source, attachments);
  const limitMs = Math.max(0, Math.ceil(setting.endsAt - performance.now()));
  const markup = markdownMarkup(markdown, limitMs);
  return markup === undefined ? undefined : withPictures(markup, setting);
}

function takeRoom(text: string, setting: Setting): boolean {
  if (text.length > setting.setChars) return false;
  setting.setChars -= text.length;
  return true;
}

function outputMarkup(output: Fields, setting: Setting): string {
  const type = output['output_type'];
  if (type === 'stream') return plain(joined(output['text']));
  if (type === 'error' || type === 'pyerr') {
    const lines = Array.isArray(output['traceback']) ? joined(output['traceback'], '\n') : '';
    return plain(
      lines || `${joined(output['ename'])}: ${joined(output['evalue'])}`,
      'output error',
    );
  }
  return dataMarkup(isRecord(output['data']) ? output['data'] : output, setting);
}

/** The types of pictures, and the names that they had in nbformat 3. */
const pictures = [
  ['image/png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['image/avif', 'image/avif'],
  ['image/bmp', 'image/bmp'],
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
] as const;

/** The form of a result that shows most; an interactive one would be a script. */
function dataMarkup(data: Fields, setting: Setting): string {
  for (const [name, type] of pictures) {
    const bytes = joined(data[name]);
    if (bytes !== '') return picture(type, bytes);
  }
  const drawing = firstOf(data, 'image/svg+xml', 'svg');
  if (drawing !== '') return picture('image/svg+xml', Buffer.from(drawing).toString('base64'));
  return textMarkup(data, setting) ?? remark('This output is interactive and is not shown.');
}

function textMarkup(data: Fields, setting: Setting): string | undefined {
  const diagram = firstOf(data, 'text/vnd.mermaid');
  if (diagram !== '') return `<div class="output">${diagramMarkup(diagram)}</div>`;
  const html = firstOf(data, 'text/html', 'html');
  const shown = html !== '' && takeRoom(html, setting) ? htmlMarkup(html) : undefined;
  if (shown !== undefined) return shown;
  const text = firstOf(data, 'text/markdown', 'text/latex', 'latex');
  if (text !== '') return `<div class="output">${setText(text, setting) ?? plain(text)}</div>`;
  const words = firstOf(data, 'text/plain', 'text');
  if (words !== '') return plain(words);
  const json = data['application/json'];
  return json === undefined ? undefined : plain(JSON.stringify(json, undefined, 2));
}

/** Like a code fence of Markdown: the page's script draws it. */
function diagramMarkup(text: string): string {
  const shown = revealInvisible(text.slice(0, mostOutputChars));
  return `<pre><code class="language-mermaid">${escaped(shown)}</code></pre>`;
}

function firstOf(data: Fields, ...names: readonly string[]): string {
  return names.map((name) => joined(data[name])).find((text) => text !== '') ?? '';
}

/** A table, for example. Without words there is nothing to show but what a script would have drawn. */
function htmlMarkup(html: string): string | undefined {
  const markup = pageMarkup(html) ?? '';
  const hasWords = markup.replace(/<[^>]*>/g, '').trim() !== '';
  return hasWords ? `<div class="output">${markup}</div>` : undefined;
}

/** In an `<img>` nothing of a drawing runs or loads. */
function picture(type: string, base64: string): string {
  const bytes = base64.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bytes)) return remark('A picture is damaged.');
  return `<p class="output"><img src="data:${type};base64,${bytes}" alt="Output"></p>`;
}

/** Codes of a terminal for colours and the like (ECMA-48). */
const terminalCodes = /\u001B\[[\d;]*[A-Za-z]/g; // oxlint-disable-line no-control-regex -- escape sequences start with a control character

/** Without what a bar of progress wrote over: the same line again, from its beginning. */
function lastWritten(text: string): string {
  if (!text.includes('\r')) return text;
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  return lines.map((line) => line.slice(line.lastIndexOf('\r') + 1)).join('\n');
}

function plain(text: string, kind = 'output'): string {
  const shown = revealInvisible(lastWritten(text.replace(terminalCodes, '')));
  const cut = shown.length > mostOutputChars;
  const reach = mayScroll(shown) ? ' tabindex="0" role="group" aria-label="Output"' : '';
  return `<pre class="${kind}"${reach}><code>${escaped(shown.slice(0, mostOutputChars))}</code></pre>${
    cut ? remark('The rest of this output is left out.') : ''
  }`;
}

/** What scrolls must be reachable by keyboard: more lines than an output is high, or a line that a phone has no room for. */
function mayScroll(text: string): boolean {
  const lines = text.split('\n');
  return lines.length > 20 || lines.some((line) => line.length > 40);
}

/** Texts are kept as a string or as a list of lines. */
function joined(value: unknown, between = ''): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join(between) : '';
}
