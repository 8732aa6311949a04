import type { ProjectType } from '../../../contract/fields.ts';
import { viewerStyle } from '../../styles/viewer-style.ts';
import type { Assets } from '../parts/assets.ts';
import { type Html, html, named } from '../parts/html.ts';
import { icon, iconSprite, typeNames } from '../parts/icons.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { formatBytes } from '../parts/sizes.ts';
import { projectFoot, type Temporary, temporaryNote } from '../visitor/visitor-frame.ts';

/** One published file and all that its page says of it. */
export interface Viewed {
  brand: string;
  title: string;
  description?: string | undefined;
  file: {
    name: string;
    /** Of the raw file; relative to the page, percent-encoded. */
    href: string;
    bytes: number;
    type: ProjectType;
    contentType: string;
  };
  temporary?: Temporary | undefined;
  /** Asks search engines to stay away; a temporary project always does. */
  noIndex?: boolean | undefined;
  /** Whether visitors are offered to save the file. */
  isSavable: boolean;
  /** Scheme, host and port of the site. */
  origin: string;
  assets: Assets;
}

/** What one kind of viewer adds to the frame. */
export interface ViewerParts {
  /** The file, as far as it can be shown without a script, and where scripts show the rest. */
  stage: Html;
  /** Styles of this kind, a constant of ours. */
  style: string;
  scripts?: readonly (keyof Assets)[];
  /** More sources for the policy, by directive. */
  allow?: Readonly<Record<string, readonly string[]>>;
}

/** The page of one file: what it is and a way to save it above, the file itself below. */
export function viewerPage(viewed: Viewed, parts: ViewerParts): Page {
  const { brand, title, description, file, temporary, origin, assets } = viewed;
  const { stage, style, scripts = [], allow = {} } = parts;
  const body = html`${iconSprite([file.type])}
<header class="viewbar">
${icon(file.type)}
<div><h1>${named(file.name)}</h1>
<p class="hint">${typeNames[file.type]} · <span class="number">${formatBytes(file.bytes)}</span></p></div>
${temporaryNote(temporary)}
${viewed.isSavable && saveButton(file)}
</header>
<main class="view">
${stage}
</main>
${projectFoot(brand)}`;
  return renderPage({
    brand,
    title,
    body,
    ...(description === undefined ? {} : { description }),
    noIndex: viewed.noIndex === true || temporary !== undefined,
    framed: true,
    style: viewerStyle + style,
    loads: { origin, scripts: scripts.map((name) => assets[name]), allow },
  });
}

function saveButton({ name, href }: Viewed['file']): Html {
  return html`<a class="button quiet" href="${relativeHref(href)}" download="${name}">Download</a>`;
}

/** What to say where a file cannot be shown; a script takes `hidden` away. */
export function viewerFault(id: string, headline: string, text: string): Html {
  return html`<div class="fault" id="${id}" role="alert" hidden><strong>${headline}</strong><p>${text}</p></div>`;
}
