import { galleryStyle } from '../../styles/gallery-style.ts';
import { proseStyle } from '../../styles/prose-style.ts';
import {
  type DiagramAssets,
  diagramFrame,
  diagramScripts,
  diagramStyle,
  hasDiagrams,
} from '../parts/diagrams.ts';
import { type Assets, type Page, type PageScripts, renderPage } from '../parts/page.ts';
import { gallery, isPicture, type ListedFile } from './gallery.ts';
import { html, type Html, isolatedName, trusted } from '../parts/html.ts';
import { icon, iconSprite, typeNames } from '../parts/icons.ts';
import { encodeSegment, relativeHref } from '../parts/relative-href.ts';
import { formatCount, formatBytes } from '../parts/format.ts';
import { projectFrame, type TemporaryProject, temporaryNote } from './visitor-frame.ts';

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
  /** The top of the bundle; default: `/`. */
  homeHref?: string | undefined;
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
${breadcrumb(steps, title, listing.homeHref ?? '/')}
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
<article class="prose"${diagramFrame(markup, assets)}>
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

function breadcrumb(steps: readonly string[], title: string, homeHref: string): Html {
  if (steps.length === 0) return html``;
  const links = steps.slice(0, -1).map((step, index) => {
    const path = steps
      .slice(0, index + 1)
      .map(encodeSegment)
      .join('/');
    return html`<li><a href="${homeHref}${path}/">${isolatedName(step)}</a></li>`;
  });
  return html`<nav class="crumbs" aria-label="Parent folders"><ol><li><a href="${homeHref}">${isolatedName(title)}</a></li>${links}<li aria-current="page">${isolatedName(steps.at(-1) ?? '')}</li></ol></nav>`;
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
  return html`<tr><th scope="row"><a class="entry" href="${relativeHref(href)}${hasPage === true && '/'}">${icon(type)}${isolatedName(name)}</a></th><td class="kind">${typeNames[type]}</td><td class="number">${formatBytes(bytes)}</td></tr>
`;
}

/** A folder with everything below it counted. */
export interface ListedFolder {
  name: string;
  files: number;
  bytes: number;
}
