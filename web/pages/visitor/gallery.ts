import { extensionOf } from '../../../core/content/media-type.ts';
import { html, type Html, isolatedName } from '../parts/html.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { formatBytes } from '../parts/format.ts';
import type { ProjectType } from '../../../contract/fields.ts';

const shownByBrowsers = new Set('png jpg jpeg jfif gif webp avif svg bmp ico apng'.split(' '));

/**
 * The gallery shows the original files, so larger pictures would make it load and scroll slowly.
 */
const maxThumbnailBytes = 8 * 1024 * 1024;

/** Whether a file of a folder is shown as a picture instead of a row. */
export function isPicture({ name, type, bytes }: ListedFile): boolean {
  return type === 'image' && bytes <= maxThumbnailBytes && shownByBrowsers.has(extensionOf(name));
}

/** Pictures side by side, and the window in which a script opens them; without it they are links. */
export function gallery(pictures: readonly ListedFile[], heading: string | undefined): Html {
  if (pictures.length === 0) return html``;
  return html`<section class="gallery">
${heading !== undefined && html`<h2>${heading}</h2>`}
<ul data-gallery>
${pictures.map(thumbnail)}</ul>
</section>
<dialog class="lightbox" aria-label="Pictures">
<div class="bar"><p><bdi data-caption></bdi> <span class="number" data-position role="status"></span></p><a data-original>Original</a><button class="button quiet" type="button" autofocus>Close</button></div>
<div class="shown"><button class="button quiet" type="button" data-step="-1" aria-label="Previous picture">${arrow('M15 5l-7 7 7 7')}</button><img alt=""><button class="button quiet" type="button" data-step="1" aria-label="Next picture">${arrow('M9 5l7 7-7 7')}</button></div>
</dialog>`;
}

function thumbnail({ name, href, bytes }: ListedFile): Html {
  const address = relativeHref(href);
  return html`<li><a href="${address}" data-name="${name}"><img src="${address}" alt="" loading="lazy" decoding="async"><span class="label">${isolatedName(name)}</span></a><span class="hint number">${formatBytes(bytes)}</span></li>
`;
}

function arrow(path: 'M15 5l-7 7 7 7' | 'M9 5l7 7-7 7'): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${path}"/></svg>`;
}

/** A file; `href` is relative to the page and percent-encoded. */
export interface ListedFile {
  name: string;
  href: string;
  /** Whether it has a page of its own, at its address with a slash behind it. */
  hasPage?: boolean;
  bytes: number;
  type: ProjectType;
}
