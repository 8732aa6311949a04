import { toHtml } from 'hast-util-to-html';
import { revealInvisible } from '../pages/parts/html.ts';
import { escaped } from './code-markup.ts';
import { fence, markdownMarkup } from './markdown.ts';
import { TooManySteps } from './markdown/count-steps.ts';
import { dressTree } from './markdown/dress-tree.ts';
import { sanitizeMarkup } from './markdown/sanitize-tree.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Beyond this, pictures and long outputs are left out, each with a remark. */
const mostChars = 3_000_000;
const mostCells = 5000;
const mostOutputChars = 50_000;

/**
 * A Jupyter notebook (nbformat 3 and 4) as markup: its texts set, its code coloured, its outputs as
 * they were saved. Nothing of it runs. `undefined` if it is no notebook.
 */
export function notebookMarkup(text: string): string | undefined {
  const notebook = parse(text);
  const cells = notebook && cellsOf(notebook);
  if (notebook === undefined || cells === undefined) return undefined;
  const language = languageOf(notebook);
  let room = mostChars;
  const parts = cells.slice(0, mostCells).map((cell) => {
    const markup = cellMarkup(cell, language);
    if (markup.length > room)
      return remark('A cell is left out, because it is too large to show here.');
    room -= markup.length;
    return markup;
  });
  if (cells.length > mostCells)
    parts.push(remark(`${cells.length - mostCells} more cells are left out.`));
  return parts.join('\n');
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function cellsOf({ cells, worksheets }: Fields): Fields[] | undefined {
  const [sheet] = Array.isArray(worksheets) ? worksheets : [];
  const found: unknown = cells ?? (isFields(sheet) ? sheet['cells'] : undefined);
  return Array.isArray(found) ? found.filter(isFields) : undefined;
}

function languageOf({ metadata }: Fields): string {
  const kernel = isFields(metadata) ? metadata['kernelspec'] : undefined;
  const language = isFields(kernel) ? kernel['language'] : undefined;
  return typeof language === 'string' ? language : 'python';
}

function cellMarkup(cell: Fields, language: string): string {
  const source = joined(cell['source'] ?? cell['input']);
  const type = cell['cell_type'];
  if (type === 'markdown') return markdownMarkup(source) ?? plain(source);
  if (type === 'heading') return markdownMarkup(`## ${source}`) ?? plain(source);
  if (type !== 'code') return plain(source);
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isFields) : [];
  const shown = revealInvisible(source);
  const code = fence(shown, language) || escaped(shown);
  const input = source === '' ? '' : `<pre class="input"><code>${code}</code></pre>`;
  return `<div class="cell">${input}${outputs.map(outputMarkup).join('')}</div>`;
}

function outputMarkup(output: Fields): string {
  const type = output['output_type'];
  if (type === 'stream') return plain(joined(output['text']));
  if (type === 'error' || type === 'pyerr') {
    const lines = Array.isArray(output['traceback']) ? joined(output['traceback'], '\n') : '';
    return plain(
      lines || `${joined(output['ename'])}: ${joined(output['evalue'])}`,
      'output error',
    );
  }
  return dataMarkup(isFields(output['data']) ? output['data'] : output);
}

/** The types of pictures, and the names that they had in nbformat 3. */
const pictures = [
  ['image/png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['png', 'image/png'],
  ['jpeg', 'image/jpeg'],
] as const;

/** The form of a result that shows most; an interactive one would be a script. */
function dataMarkup(data: Fields): string {
  for (const [name, type] of pictures) {
    const bytes = joined(data[name]);
    if (bytes !== '') return picture(type, bytes);
  }
  const drawing = firstOf(data, 'image/svg+xml', 'svg');
  if (drawing !== '') return picture('image/svg+xml', Buffer.from(drawing).toString('base64'));
  return textMarkup(data) ?? remark('This output is interactive and is not shown.');
}

function textMarkup(data: Fields): string | undefined {
  const html = firstOf(data, 'text/html', 'html');
  const shown = html === '' ? undefined : htmlMarkup(html);
  if (shown !== undefined) return shown;
  const text = firstOf(data, 'text/markdown', 'text/latex', 'latex');
  if (text !== '') return `<div class="output">${markdownMarkup(text) ?? plain(text)}</div>`;
  const words = firstOf(data, 'text/plain', 'text');
  return words === '' ? undefined : plain(words);
}

function firstOf(data: Fields, ...names: readonly string[]): string {
  return names.map((name) => joined(data[name])).find((text) => text !== '') ?? '';
}

/** A table, for example. Without words there is nothing to show but what a script would have drawn. */
function htmlMarkup(html: string): string | undefined {
  if (html.length > mostChars) return undefined;
  try {
    const tree = sanitizeMarkup(html);
    dressTree(tree);
    const markup = toHtml(tree);
    return markup.replace(/<[^>]*>/g, '').trim() !== ''
      ? `<div class="output">${markup}</div>`
      : undefined;
  } catch (error) {
    if (error instanceof TooManySteps) return undefined;
    throw error;
  }
}

/** In an `<img>` nothing of a drawing runs or loads. */
function picture(type: string, base64: string): string {
  const bytes = base64.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bytes)) return remark('A picture is damaged.');
  return `<p class="output"><img src="data:${type};base64,${bytes}" alt="Output"></p>`;
}

/** Codes of a terminal for colours and the like (ECMA-48). */
const terminalCodes = /\u001B\[[\d;]*[A-Za-z]/g; // oxlint-disable-line no-control-regex -- escape sequences start with a control character

function plain(text: string, kind = 'output'): string {
  const shown = revealInvisible(text.replace(terminalCodes, ''));
  const cut = shown.length > mostOutputChars;
  return `<pre class="${kind}"><code>${escaped(shown.slice(0, mostOutputChars))}</code></pre>${
    cut ? remark('The rest of this output is left out.') : ''
  }`;
}

function remark(text: string): string {
  return `<p class="hint">${text}</p>`;
}

/** Texts are kept as a string or as a list of lines. */
function joined(value: unknown, between = ''): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join(between) : '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
