import { html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { fileStage, fileStageStyle, type ViewerInput, viewerFrame } from './viewer-frame.ts';

const style = `${fileStageStyle}
.presentation-view{flex:1;padding:clamp(.75rem,3vw,1.5rem) clamp(.5rem,3vw,1.5rem);background:var(--ground)}
.presentation-view .stage{max-width:60rem;margin:0 auto}
.tools output{min-width:7rem}
@media (max-width:36rem){.tools i{display:none}}
`;

/** The slides of a presentation, one below the other, drawn by a script. */
export function presentationPage(input: ViewerInput): Page {
  const stage = html`<div class="tools" role="group" aria-label="Slides" data-controls hidden>
<button type="button" data-go="-1" aria-label="Previous slide">↑</button><output aria-live="polite" data-position></output><button type="button" data-go="1" aria-label="Next slide">↓</button><i></i><button type="button" data-present>Full screen</button>
</div>
${fileStage('presentation', input)}`;
  return viewerFrame(input, {
    stage,
    style,
    scripts: ['presentation'],
    allow: {
      // Formulas and some colour gradients are drawn with style attributes; sheets stay refused.
      'style-src-attr': ["'unsafe-inline'"],
      // Sounds and films that a slide holds.
      'media-src': ['blob:'],
    },
  });
}
