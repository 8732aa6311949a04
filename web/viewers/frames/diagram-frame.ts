// oxlint-disable-next-line import/no-unassigned-import -- it makes a global and exports nothing
import '@mermaid-js/tiny';

/** What the page asks for. */
export interface DiagramRequest {
  id: number;
  text: string;
}

/** Pictures of a diagram as SVG, and what its author calls it. */
export interface Drawing {
  light: string;
  dark: string;
  title: string;
}

const most = { textChars: 20_000, edges: 300, pixels: 8000, svgChars: 2_000_000 } as const;

/** What comes from the text cannot change these. */
const fixed = {
  startOnLoad: false,
  securityLevel: 'strict',
  htmlLabels: false,
  suppressErrorRendering: true,
  maxTextSize: most.textChars,
  maxEdges: most.edges,
  deterministicIds: true,
} as const;
const secure = ['secure', 'dompurifyConfig', 'fontFamily', ...Object.keys(fixed)];

async function draw({ id, text }: DiagramRequest): Promise<Drawing | { error: string }> {
  if (text.length > most.textChars) return { error: 'It is too long to be drawn here.' };
  try {
    const light = await drawIn('default', id, text);
    const dark = await drawIn('dark', id, text);
    const title = light.querySelector('title')?.textContent ?? '';
    return { light: written(light), dark: written(dark), title };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'It cannot be drawn.';
    const isOther = message.startsWith('No diagram type detected');
    return { error: isOther ? 'This page draws no diagrams of this kind.' : message };
  }
}

async function drawIn(theme: 'default' | 'dark', id: number, text: string): Promise<SVGElement> {
  mermaid.initialize({ ...fixed, theme, secure });
  const { svg } = await mermaid.render(`diagram-${id}`, text);
  if (svg.length > most.svgChars) throw new Error('It is too large to be drawn here.');
  const drawing = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (drawing === null) throw new Error('It cannot be drawn.');
  // A picture has the size of its view box: a browser would give it another one.
  const [, , width = 0, height = 0] = (drawing.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0)) throw new Error('It is empty.');
  const scale = Math.min(1, most.pixels / Math.max(width, height));
  drawing.setAttribute('width', String(Math.ceil(width * scale)));
  drawing.setAttribute('height', String(Math.ceil(height * scale)));
  drawing.style.removeProperty('max-width');
  return drawing;
}

/** As XML: a picture that is no well-formed XML is not shown. */
function written(drawing: SVGElement): string {
  return new XMLSerializer().serializeToString(drawing);
}

// One after the other: the library has one state for all of them.
let last: Promise<unknown> = Promise.resolve();
addEventListener('message', ({ data, source }: MessageEvent<DiagramRequest>) => {
  if (source !== parent) return;
  last = last.then(async () => parent.postMessage(await draw(data), '*'));
});
parent.postMessage('ready', '*');
