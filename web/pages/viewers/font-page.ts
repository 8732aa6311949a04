import type { Page } from '../parts/page.ts';
import { fileStage, fileStageStyle, type ViewerInput, viewerFrame } from './viewer-frame.ts';

const style = `${fileStageStyle}
.font-view{flex:1;width:100%;max-width:72rem;margin:0 auto;padding:clamp(1rem,3vw,2rem)}
.font-view :is(label,textarea){display:block;width:100%}
.font-view textarea{margin-top:.375rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:inherit;font-size:2rem;line-height:1.3;resize:vertical}
.font-view section{margin-top:1.5rem}
.font-view .hint{margin:.75rem 0 0}
.font-view p.in-font{margin:0;line-height:1.3;overflow-wrap:anywhere}
.font-view .in-font{font-family:Specimen,var(--text)}
.font-view ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(3rem,1fr));gap:.25rem;margin:.5rem 0 0;padding:0;list-style:none}
.font-view li{padding:.25rem;border:1px solid var(--line);border-radius:6px;background:var(--sheet);font-size:1.5rem;line-height:1.5;text-align:center;overflow:hidden}
@media print{.font-view label{display:none}.font-view li{break-inside:avoid}}
`;

/** A font as samples of several sizes and its characters, set by the browser. */
export function fontPage(input: ViewerInput): Page {
  return viewerFrame(input, { stage: fileStage('font', input), style, scripts: ['font'] });
}
