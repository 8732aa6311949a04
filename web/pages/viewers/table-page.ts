import { extensionOf } from '../../../core/content/media-type.ts';
import { html } from '../parts/html.ts';
import type { Assets, Page } from '../parts/page.ts';
import { fileStage, fileStageStyle, type ViewerInput, viewerFrame } from './viewer-frame.ts';

const style = `${fileStageStyle}
.table-view{flex:1;width:100%;max-width:90rem;margin:0 auto;padding:clamp(.5rem,2vw,1.25rem)}
.stage .hint{margin-block:.625rem;white-space:pre-line}
.tools input[type=search]{width:min(16rem,40vw);text-align:left}
.sheet-tabs{display:flex;gap:.25rem;margin-bottom:.625rem;overflow-x:auto}
.sheet-tabs button{flex:none;min-height:2.75rem;padding:0 .875rem;border:1px solid var(--line);border-radius:8px;background:var(--sheet);color:inherit;font:600 .9375rem/1 var(--text);cursor:pointer}
.sheet-tabs button[aria-pressed=true]{background:var(--tide);border-color:var(--edge)}
.wide-table{max-height:calc(100svh - 14rem);overflow:auto;border:1px solid var(--line);border-radius:10px;background:var(--sheet);overflow-anchor:none}
.wide-table table{width:max-content;min-width:100%;table-layout:auto;border-collapse:separate;border-spacing:0}
.wide-table thead{position:sticky;top:0;z-index:2}
.wide-table thead :is(th,td){width:auto;background:var(--sheet);color:var(--ink);font-weight:600}
.wide-table thead th{padding:0;border-bottom:2px solid var(--edge)}
.wide-table thead th button{display:block;width:100%;min-height:2.75rem;max-height:8rem;overflow:hidden;padding:.375rem .875rem;border:0;background:none;color:inherit;font:inherit;text-align:inherit;white-space:pre-wrap;cursor:pointer}
.wide-table thead th button:hover{background:var(--tide)}
.wide-table th[aria-sort] button::after{content:" ↑"}
.wide-table th[aria-sort=descending] button::after{content:" ↓"}
.wide-table tbody td,.wide-table .lettered td{max-width:28rem;padding:.375rem .875rem;color:var(--ink);white-space:pre-wrap}
.wide-table .lettered td{border-right:1px solid var(--line)}
.wide-table .lettered thead th{border-bottom-width:1px;text-align:center;font-weight:400;color:var(--muted)}
.wide-table .lettered thead th button{min-height:2rem;padding-block:.125rem}
.wide-table .lettered th[scope=row],.wide-table .lettered thead tr:first-child td{position:sticky;left:0;z-index:1;width:1px;padding:.25rem .625rem;border-right:1px solid var(--edge);background:var(--ground);color:var(--muted);font-weight:400;font-size:.8125rem;text-align:right;white-space:nowrap}
.on-paper{--sheet:#fff;--ink:#12242c;--ground:#eef2f1;--line:#d5dedc;--edge:#7c9096;--muted:#4c5f66;color-scheme:light}
.wide-table .bordered{box-shadow:inset 0 0 0 .5px #7c9096}
.wide-table .merged{vertical-align:middle}
.wide-table .long{table-layout:fixed;min-width:0}
.wide-table .long tbody tr:not(.space){height:36px}
.wide-table .long tbody :is(td,th){height:36px;max-width:none;padding-block:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
@media print{.wide-table{max-height:none;overflow:visible;border:0}.sheet-tabs{display:none}.table-view{max-width:none;padding:0}}
`;

/** What reads a table that is no spreadsheet, by extension. */
const workers: ReadonlyMap<string, keyof Assets> = new Map([
  ['csv', 'table-worker'],
  ['tsv', 'table-worker'],
  ['parquet', 'parquet-worker'],
  ...['arrow', 'arrows', 'feather', 'ipc'].map((extension) => [extension, 'arrow-worker'] as const),
  ...'tar tgz gz zst tzst zip jar war ear aar apk aab whl vsix xpi nupkg cbz'
    .split(' ')
    .map((extension) => [extension, 'archive-worker'] as const),
  ['7z', 'seven-zip-worker'],
  ...['sqlite', 'sqlite3', 'db', 'db3', 'gpkg', 'mbtiles'].map(
    (extension) => [extension, 'database-worker'] as const,
  ),
]);

/** Its worker, and how much it may read: a spreadsheet takes many times its size in memory. */
function readerOf({ file, assets }: ViewerInput): Record<string, string> {
  const worker = workers.get(extensionOf(file.readAs ?? file.name));
  return {
    worker: assets[worker ?? 'sheet-worker'],
    megabytes: worker === undefined ? '40' : '100',
    ...(worker === 'database-worker' && { sqlite: `${assets.sqlite}sql-wasm-browser.wasm` }),
  };
}

/** The rows of a table, spreadsheet or database, read by a worker and shown by a script. */
export function tablePage(input: ViewerInput): Page {
  const stage = html`<div class="tools" role="group" aria-label="Table" data-controls hidden>
<label>Search <input type="search" autocomplete="off" data-find></label><button type="button" data-copy aria-live="polite">Copy as text</button>
</div>
${fileStage('table', input, readerOf(input))}`;
  return viewerFrame(input, { stage, style, scripts: ['table'] });
}
