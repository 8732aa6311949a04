import { html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { fileStage, fileStageStyle, type ViewerInput, viewerFrame } from './viewer-frame.ts';

const style = `${fileStageStyle}
body:has(.model-view){height:100vh;height:100svh;min-height:30rem}
.model-view{position:relative;display:flex;flex:1;flex-direction:column;min-height:16rem;background:radial-gradient(circle at 50% 40%,var(--sheet),var(--ground))}
.model-view .stage{position:absolute;inset:0;overflow:hidden}
.model-view canvas{display:block;width:100%;height:100%;cursor:grab;touch-action:none}
.model-view canvas:active{cursor:grabbing}
.model-view canvas:focus-visible{outline-offset:-3px}
.model-tip{padding:.5rem 1rem;text-align:center}
@media (max-width:36rem){.model-tip span{display:none}}
`;

/** A 3D model that can be turned by hand or keyboard, drawn by a script. */
export function modelPage(input: ViewerInput): Page {
  const stage = html`<div class="tools" role="group" aria-label="View" data-controls hidden>
<button type="button" data-do="out" aria-label="Zoom out">−</button><button type="button" data-do="in" aria-label="Zoom in">+</button><button type="button" data-do="reset">Reset view</button><i></i><button type="button" data-do="wires" aria-pressed="false">Wireframe</button><button type="button" data-do="play" aria-pressed="false" hidden>Animation</button>
</div>
${fileStage('model', input, {
  decoders: input.assets['model-decoders'],
  ...(input.place !== undefined && { beside: 'files' }),
})}
<p class="hint model-tip" role="status" data-remark hidden></p>
<p class="hint model-tip" data-controls hidden>Drag to rotate, scroll or pinch to zoom.<span> Keys: arrows, + and −, 0 to reset.</span></p>`;
  return viewerFrame(input, {
    stage,
    style,
    scripts: ['model'],
    // Textures and buffers that the file holds are read through addresses of these kinds.
    // The decoders of compressed models are WebAssembly, in workers that the library puts together.
    allow: {
      'connect-src': ['blob:', 'data:'],
      'script-src': ["'wasm-unsafe-eval'"],
      'worker-src': ['blob:'],
    },
  });
}
