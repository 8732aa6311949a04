import type { Page } from '../parts/page.ts';
import { fileStage, fileStageStyle, type ViewerInput, viewerFrame } from './viewer-frame.ts';

const style = `${fileStageStyle}
.document-view{flex:1;padding:clamp(.75rem,3vw,2rem) clamp(.5rem,3vw,1.5rem);background:var(--ground)}
.document-view .stage{max-width:72rem;margin:0 auto;position:relative;contain:paint;isolation:isolate}
`;

/**
 * A Word document, laid out by a script.
 *
 * Whatever styles it brings stay on the stage: `contain` keeps even what is fixed to the window
 * from leaving it.
 */
export function documentPage(input: ViewerInput): Page {
  return viewerFrame(input, {
    stage: fileStage('document', input),
    style,
    scripts: ['document'],
  });
}
