import type { Page } from '../parts/page.ts';
import { fileStage, fileStageStyle, type ViewerInput, viewerFrame } from './viewer-frame.ts';

const style = `${fileStageStyle}
.table-view{flex:1;width:100%;max-width:72rem;margin:0 auto;padding:clamp(.75rem,3vw,1.5rem)}
.stage .hint{margin-block:.75rem;white-space:pre-line}
.wide-table{max-height:80vh;overflow:auto;border:1px solid var(--line);border-radius:12px;background:var(--sheet)}
.wide-table table{width:max-content;min-width:100%;table-layout:auto;border-collapse:separate;border-spacing:0}
.wide-table th{position:sticky;top:0;width:auto;padding:.625rem .875rem;background:var(--sheet);color:var(--ink);font-weight:600;border-bottom:2px solid var(--edge)}
.wide-table td{max-width:28rem;padding:.5rem .875rem;color:var(--ink);white-space:pre-wrap}
.wide-table tr:last-child td{border-bottom:0}
`;

/** The rows of a CSV or TSV file as a table, built by a script. */
export function tablePage(input: ViewerInput): Page {
  return viewerFrame(input, { stage: fileStage('table', input), style, scripts: ['table'] });
}
