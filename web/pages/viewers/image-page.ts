import { extensionOf } from '../../../core/content/media-type.ts';
import { type Html, html } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { type ViewerInput, viewerError, viewerFrame } from './viewer-frame.ts';

const style = `
body:has(.picture){height:100vh;height:100svh}
.picture{display:flex;flex:1;min-height:16rem;overflow:auto;background:var(--ground);touch-action:pan-x pan-y pinch-zoom}
.picture img{display:block;max-width:100%;max-height:100%;margin:auto;object-fit:contain;cursor:zoom-in}
.picture.near img{flex:none;max-width:none;max-height:none;cursor:grab}
.picture.held img{cursor:grabbing}
.picture:focus-visible{outline-offset:-3px}
`;

/** Formats that few browsers know, and that our script decodes, by the worker that does it. */
const decoded = {
  'picture-worker':
    'tif tiff jxl psd psb nef nrw dng cr2 cr3 arw orf rw2 raf pef srw tga ppm pgm pbm pnm pam',
  'jpx-worker': 'jp2 j2k j2c jpc jpf jpx',
  'heic-worker': 'heic heif hif',
  'radiance-worker': 'hdr exr',
} as const;

const workers = ['picture-worker', 'jpx-worker', 'heic-worker', 'radiance-worker'] as const;

/** What the page of such a format has more: the addresses of its worker and of what that loads. */
function decoders({ file, assets }: ViewerInput): Html | undefined {
  const name = file.readAs ?? file.name;
  const extension = extensionOf(name);
  const worker = workers.find((one) => decoded[one].split(' ').includes(extension));
  if (worker === undefined) return undefined;
  const wasm = {
    'picture-worker': `${assets['jxl-decoder']}jxl_dec.wasm`,
    'jpx-worker': `${assets['pdf-data']}wasm/`,
    'heic-worker': `${assets['heic-decoder']}libheif.wasm`,
    'radiance-worker': '',
  };
  return html` data-worker="${assets[worker]}" data-decoder="${wasm[worker]}" data-name="${name}"`;
}

/** Buttons of a file with several pages. */
const pageButtons = html`<span data-pages hidden><button type="button" data-page="-1" aria-label="Previous page">↑</button><output aria-live="polite"></output><button type="button" data-page="1" aria-label="Next page">↓</button></span>`;

/**
 * A picture that fits the window. The script adds zoom. SVG is always an `<img>`, where its scripts do
 * not run; the script counts what it draws before it is shown.
 */
export function imagePage(input: ViewerInput): Page {
  const { file } = input;
  const href = relativeHref(file.href);
  const image = html`<img src="${href}" alt="${file.name}" decoding="async" draggable="false">`;
  const decoding = decoders(input);
  const stage = html`<div class="tools" role="group" aria-label="Zoom" hidden>
<button type="button" data-zoom="out" aria-label="Zoom out">−</button><output aria-live="polite" aria-label="Size"></output><button type="button" data-zoom="in" aria-label="Zoom in">+</button><i></i><button type="button" data-zoom="fit">Fit</button><button type="button" data-zoom="full">100 %</button>${decoding && pageButtons}
</div>
<div class="picture" tabindex="0" role="region" aria-label="Picture"${decoding}>${file.contentType.startsWith('image/svg') ? html`<img data-drawing="${href}" alt="${file.name}" decoding="async" draggable="false"><noscript>${image}</noscript>` : image}</div>
${viewerError('unshown', 'This browser cannot show this picture', `Few browsers support its format, or the file is damaged. ${input.isSavable ? 'Download it to open it in another program.' : 'Try another browser.'}`)}`;
  return viewerFrame(input, { stage, style, scripts: ['image'] });
}
