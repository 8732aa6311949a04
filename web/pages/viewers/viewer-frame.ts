import { kindOfFile } from '../../../contract/type-names.ts';
import type { ProjectType } from '../../../contract/fields.ts';
import { viewerStyle } from '../../styles/viewer-style.ts';
import type { BundlePlace } from '../../../core/visit/bundle-file.ts';
import { type Assets, type Page, renderPage } from '../parts/page.ts';
import { type Html, html, isolatedName } from '../parts/html.ts';
import { icon, iconSprite } from '../parts/icons.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { formatBytes } from '../parts/format.ts';
import { projectFoot, type TemporaryProject, temporaryNote } from '../visitor/visitor-frame.ts';

/** Everything that the page of a single file is made from. */
export interface ViewerInput {
  brand: string;
  title: string;
  description?: string | undefined;
  file: {
    name: string;
    /** Its name with the extension of its bytes, where it has another one. */
    readAs?: string | undefined;
    /** The address of the raw file; relative to the page, percent-encoded. */
    href: string;
    bytes: number;
    type: ProjectType;
    contentType: string;
  };
  /** Where it is in a bundle. */
  place?: BundlePlace | undefined;
  temporary?: TemporaryProject | undefined;
  /** Asks search engines to stay away; a temporary project always does. */
  noIndex?: boolean | undefined;
  /** Whether visitors are offered to download the file. */
  isSavable: boolean;
  /** Scheme, host and port of the site. */
  origin: string;
  assets: Assets;
}

/** The parts that a viewer adds to the frame. */
export interface ViewerParts {
  /** The file as shown without a script, and the elements that scripts fill. */
  stage: Html;
  /** Styles of this viewer, a constant of ours. */
  style: string;
  scripts?: readonly (keyof Assets)[];
  /** More sources for the policy, by directive. */
  allow?: Readonly<Record<string, readonly string[]>>;
}

/** The frame of a viewer page: name, type and download button above, the file below. */
export function viewerFrame(input: ViewerInput, parts: ViewerParts): Page {
  const { brand, title, description, file, temporary, origin, assets } = input;
  const { stage, style, scripts = [], allow = {} } = parts;
  const body = html`${iconSprite([file.type])}
<header class="viewbar">
${icon(file.type)}
<div><h1>${isolatedName(file.name)}</h1>
<p class="hint">${kindOfFile(file.readAs ?? file.name, file.type)} · <span class="number">${formatBytes(file.bytes)}</span></p></div>
${temporaryNote(temporary)}
${placeLinks(input.place)}
${input.isSavable && saveButton(file)}
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
    noIndex: input.noIndex === true || temporary !== undefined,
    framed: true,
    style: viewerStyle + style,
    loads: { origin, scripts: scripts.map((name) => assets[name]), allow },
  });
}

/** Links to the folder of a file and to the files beside it. */
export function placeLinks(place: BundlePlace | undefined): Html {
  if (place === undefined) return html``;
  const { folderHref, previous, next } = place;
  return html`<nav class="beside" aria-label="Files of this folder"><a href="${relativeHref(folderHref)}">All files</a>${previous && html`<a href="${relativeHref(previous.href)}" rel="prev" title="${previous.name}" aria-label="Previous file: ${previous.name}">←</a>`}${next && html`<a href="${relativeHref(next.href)}" rel="next" title="${next.name}" aria-label="Next file: ${next.name}">→</a>`}</nav>`;
}

function saveButton({ name, href }: ViewerInput['file']): Html {
  return html`<a class="button quiet" href="${relativeHref(href)}" download="${name}">Download</a>`;
}

/** An error message, hidden until the script shows it. */
export function viewerError(id: string, headline: string, text: string): Html {
  return html`<div class="fault" id="${id}" role="alert" hidden><strong>${headline}</strong><p>${text}</p></div>`;
}

/**
 * The element in which a script shows a file that browsers cannot show themselves.
 *
 * @param kind its class is `<kind>-view`
 * @param data more for the script, by the names of the stage's `data-` attributes
 */
export function fileStage(
  kind: string,
  { file, isSavable }: ViewerInput,
  data: Readonly<Record<string, string>> = {},
): Html {
  const attributes = Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);
  return html`<div class="${kind}-view" data-viewer data-source="${relativeHref(file.href)}" data-name="${file.readAs ?? file.name}">
<p class="muted loading" role="status" data-loading>Opening the file …</p>
<noscript><p class="loading">This page needs JavaScript to show the file.${isSavable && ' Without it, you can download the file.'}</p></noscript>
<div class="stage" data-stage${attributes}></div>
</div>
<div class="fault" role="alert" data-fault hidden><strong>This file cannot be shown here</strong><p data-reason></p>${isSavable && html`<p>Download it to open it on your device.</p>`}</div>`;
}

/** The styles of {@link fileStage}. */
export const fileStageStyle = `
.loading{padding:3rem 1rem;text-align:center}
@media (scripting:none){[data-loading]{display:none}}
`;
