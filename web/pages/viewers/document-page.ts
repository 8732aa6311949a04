import type { Page } from '../parts/page.ts';
import { opening, openingStyle } from './opening.ts';
import { type Viewed, viewerPage } from './viewer-page.ts';

const style = `${openingStyle}
.document-view{flex:1;padding:clamp(.75rem,3vw,2rem) clamp(.5rem,3vw,1.5rem);background:var(--ground)}
.document-view .stage{max-width:72rem;margin:0 auto;position:relative;contain:paint;isolation:isolate}
`;

/**
 * A letter or book of Word, laid out by a script.
 *
 * Whatever styles it brings stay on the stage: `contain` keeps even what is fixed to the window
 * from leaving it.
 */
export function documentPage(viewed: Viewed): Page {
  return viewerPage(viewed, {
    stage: opening('document', viewed),
    style,
    scripts: ['document'],
  });
}
