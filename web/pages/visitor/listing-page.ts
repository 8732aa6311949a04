import { kindOfFile } from '../../../contract/type-names.ts';
import { proseStyle } from '../../styles/prose-style.ts';
import {
  type DiagramAssets,
  diagramFrame,
  diagramScripts,
  diagramStyle,
  hasDiagrams,
} from '../parts/diagrams.ts';
import { type Assets, type Page, type PageScripts, renderPage } from '../parts/page.ts';
import { type Html, html, isolatedName, trusted } from '../parts/html.ts';
import { icon, iconSprite } from '../parts/icons.ts';
import { encodeSegment, relativeHref } from '../parts/relative-href.ts';
import { formatBytes, formatCount } from '../parts/format.ts';
import { projectFrame, temporaryNote, type TemporaryProject } from './visitor-frame.ts';
import { extensionOf } from '../../../core/content/media-type.ts';
import type { ProjectType } from '../../../contract/fields.ts';

/** One folder of a file bundle. */
export interface Listing {
  brand: string;
  title: string;
  /** `''` for the top, else `a/b/`. */
  folder: string;
  folders: readonly ListedFolder[];
  files: readonly ListedFile[];
  totals: { files: number; bytes: number };
  temporary?: TemporaryProject | undefined;
  /** Asks search engines to stay away; a temporary project always does. */
  noIndex?: boolean | undefined;
  /** Where all of it comes as one ZIP; null where that would be too large, absent where it is not offered. */
  zipHref?: string | null | undefined;
  /** Scheme, host and port of the site. */
  origin: string;
  assets: Pick<Assets, 'gallery'> & DiagramAssets;
  /** The file that says what the folder is. */
  readme?: ListedReadme | undefined;
}

/** A README of a folder. */
export interface ListedReadme {
  name: string;
  /** The address of its page. */
  href: string;
  /** From `markdownMarkup`, which lets only harmless HTML of the author through. */
  markup: string;
}

/** The contents of a folder in the given order, folders first. */
export function listingPage(listing: Listing): Page {
  const { brand, title, folders, totals, temporary } = listing;
  const pictures = listing.files.filter(isPicture);
  const files = listing.files.filter((file) => !isPicture(file));
  const steps = listing.folder.split('/').filter((step) => step !== '');
  const heading = steps.at(-1) ?? title;
  const types = [...(folders.length > 0 ? (['folder'] as const) : []), ...files.map((f) => f.type)];
  const amount = formatCount(totals.files, 'file');
  const size = formatBytes(totals.bytes);
  const body = projectFrame(
    brand,
    html`${iconSprite(types)}
${breadcrumb(steps, title)}
<div class="head">
<h1>${isolatedName(heading)}</h1>
<p class="muted number">${heading === amount ? size : `${amount}, ${size}`}</p>
${temporaryNote(temporary)}
${downloadAll(listing.zipHref)}
</div>
${folders.length + files.length > 0 && table(folders, files)}
${gallery(pictures, folders.length + files.length > 0 ? 'Pictures' : undefined)}
${listing.folders.length + listing.files.length === 0 && html`<p class="muted">This folder is empty.</p>`}
${readmeBelow(listing)}`,
  );
  const page = steps.length === 0 ? title : `${heading} · ${title}`;
  const noIndex = listing.noIndex === true || temporary !== undefined;
  const loads = scriptsOf(listing, pictures.length > 0);
  const style = stylesOf(pictures.length > 0, listing.readme);
  const scripts = loads.scripts.length > 0 && { loads };
  return renderPage({ brand, title: page, body, noIndex, framed: true, style, ...scripts });
}

function scriptsOf({ origin, assets, readme }: Listing, hasGallery: boolean): PageScripts {
  const drawing = diagramScripts(readme?.markup ?? '', { origin, assets });
  const scripts = [...(hasGallery ? [assets.gallery] : []), ...drawing.scripts];
  return { origin, ...drawing, scripts };
}

function stylesOf(hasGallery: boolean, readme: ListedReadme | undefined): string | undefined {
  const style = [
    hasGallery && galleryStyle,
    readme !== undefined && proseStyle + readmeStyle,
    hasDiagrams(readme?.markup ?? '') && diagramStyle,
  ]
    .filter((part) => part !== false)
    .join('');
  return style === '' ? undefined : style;
}

const readmeStyle = `
.readme{margin-top:2rem;border:1px solid var(--line);border-radius:14px;background:var(--sheet)}
.readme>h2{padding:.75rem clamp(1rem,4vw,2rem);border-bottom:1px solid var(--line);font-size:1rem}
.readme>h2 a{color:inherit;text-decoration:none}
.readme .prose{max-width:none;padding-block:1.5rem}
`;

function readmeBelow({ readme, assets }: Listing): Html {
  if (readme === undefined) return html``;
  const { name, href, markup } = readme;
  return html`<section class="readme" aria-label="${name}"><h2><a href="${relativeHref(href)}">${isolatedName(name)}</a></h2>
<article class="prose" dir="auto"${diagramFrame(markup, assets)}>
${trusted(markup)}</article></section>`;
}

function downloadAll(zipHref: Listing['zipHref']): Html {
  if (zipHref === undefined) return html``;
  if (zipHref === null) {
    return html`<p class="hint">These files are too large for one ZIP. Download them one by one.</p>`;
  }
  // Without `download`: a refusal is a page to be read, not a file that failed. Crawlers have no use for it.
  return html`<p class="all"><a class="button quiet" href="${relativeHref(zipHref)}" rel="nofollow">Download all</a></p>`;
}

function breadcrumb(steps: readonly string[], title: string): Html {
  if (steps.length === 0) return html``;
  const links = steps.slice(0, -1).map((step, index) => {
    const path = steps
      .slice(0, index + 1)
      .map(encodeSegment)
      .join('/');
    return html`<li><a href="/${path}/">${isolatedName(step)}</a></li>`;
  });
  return html`<nav class="crumbs" aria-label="Parent folders"><ol><li><a href="/">${isolatedName(title)}</a></li>${links}<li aria-current="page">${isolatedName(steps.at(-1) ?? '')}</li></ol></nav>`;
}

function table(folders: readonly ListedFolder[], files: readonly ListedFile[]): Html {
  return html`<table>
<caption class="unseen">Files and folders</caption>
<thead><tr><th scope="col">Name</th><th scope="col" class="kind">Type</th><th scope="col" class="number">Size</th></tr></thead>
<tbody>
${folders.map(folderRow)}${files.map(fileRow)}</tbody>
</table>`;
}

function folderRow({ name, files, bytes }: ListedFolder): Html {
  return html`<tr><th scope="row"><a class="entry" href="${relativeHref(encodeSegment(name))}/">${icon('folder')}${isolatedName(name)}</a></th><td class="kind">${formatCount(files, 'file')}</td><td class="number">${formatBytes(bytes)}</td></tr>
`;
}

function fileRow({ name, href, hasPage, bytes, type }: ListedFile): Html {
  return html`<tr><th scope="row"><a class="entry" href="${relativeHref(href)}${hasPage === true && '/'}">${icon(type)}${isolatedName(name)}</a></th><td class="kind">${kindOfFile(name, type)}</td><td class="number">${formatBytes(bytes)}</td></tr>
`;
}

/** A folder with everything below it counted. */
export interface ListedFolder {
  name: string;
  files: number;
  bytes: number;
}

const shownByBrowsers = new Set('png jpg jpeg jfif gif webp avif svg bmp ico apng'.split(' '));

/**
 * The gallery shows the original files, so larger pictures would make it load and scroll slowly.
 */
const maxThumbnailBytes = 8 * 1024 * 1024;

/** Whether a file of a folder is shown as a picture instead of a row. */
function isPicture({ name, type, bytes }: ListedFile): boolean {
  return type === 'image' && bytes <= maxThumbnailBytes && shownByBrowsers.has(extensionOf(name));
}

/** Pictures side by side, and the window in which a script opens them; without it they are links. */
function gallery(pictures: readonly ListedFile[], heading: string | undefined): Html {
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

/** Styles of lists with pictures, in addition to the common stylesheet. */
const galleryStyle = `
.gallery{margin-top:1.75rem;display:grid;gap:1rem}
.gallery ul{list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(10.5rem,42%),1fr));gap:1rem}
.gallery li{min-width:0}
.gallery a{display:grid;gap:.125rem;color:var(--ink);text-decoration:none;font-size:.9375rem;line-height:1.35}
.gallery img{width:100%;aspect-ratio:4/3;object-fit:cover;margin-bottom:.375rem;border-radius:8px;background:var(--ground)}
.gallery a:hover img{outline:2px solid var(--water);outline-offset:2px}
.gallery .label{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.gallery .hint{font-size:.8125rem}
.lightbox{width:100%;max-width:none;height:100%;max-height:none;margin:0;padding:0;border:0;background:var(--dark);color:var(--on-dark);overflow:hidden}
.lightbox[open]{display:grid;grid-template-rows:auto minmax(0,1fr)}
.lightbox .bar{display:flex;align-items:center;gap:.75rem 1.25rem;padding:.625rem clamp(.75rem,3vw,1.5rem)}
.bar p{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.bar .number{margin-left:.5rem;opacity:.8}
.bar a{color:inherit}
.lightbox .button{min-height:2.75rem;padding:.25rem 1rem;color:inherit;border-color:var(--rail)}
.lightbox .button:hover{border-color:var(--on-dark)}
.lightbox :focus-visible{outline-color:var(--on-dark)}
.shown{display:grid;grid-template-columns:auto minmax(0,1fr) auto;align-items:center;gap:.75rem;padding:0 clamp(.5rem,2vw,1.5rem) 1.25rem;min-height:0}
.shown img{grid-area:1/2;justify-self:center;max-width:100%;max-height:100%;min-height:0;object-fit:contain}
.shown .button{padding:.25rem .625rem}
.shown .icon{stroke:currentColor}
@media (max-width:36rem){.shown{grid-template:minmax(0,1fr) auto/1fr 1fr}.shown img{grid-area:1/1/2/3}.shown .button{justify-self:start}.shown img+.button{justify-self:end}}
`;
