import { kindOfFile } from '../../../contract/type-names.ts';
import type { ProjectType } from '../../../contract/fields.ts';
import { extensionOf } from '../../../core/content/media-type.ts';
import { html, isolatedName } from '../parts/html.ts';
import { icon, iconSprite } from '../parts/icons.ts';
import { type Page, renderPage } from '../parts/page.ts';
import { relativeHref } from '../parts/relative-href.ts';
import { formatBytes } from '../parts/format.ts';
import type { BundlePlace } from '../../../core/visit/bundle-file.ts';
import { programsFor } from './programs.ts';
import { placeLinks } from '../viewers/viewer-frame.ts';
import { projectFrame, type TemporaryProject, temporaryNote } from './visitor-frame.ts';

/** The one file of a project; `href` is relative to the page and percent-encoded. */
interface OfferedFile {
  name: string;
  href: string;
  bytes: number;
  type: ProjectType;
}

/** The page of a single file that browsers cannot show, or that is empty, with a download button. */
export function offerPage(offer: {
  brand: string;
  title: string;
  file: OfferedFile;
  /** Where it is in a bundle. */
  place?: BundlePlace | undefined;
  temporary?: TemporaryProject | undefined;
  /** Asks search engines to stay away; a temporary project always does. */
  noIndex?: boolean | undefined;
  /** Whether visitors are offered to download it. */
  isSavable: boolean;
}): Page {
  const { brand, title, file, temporary } = offer;
  const body = projectFrame(
    brand,
    html`${iconSprite([file.type])}
<div class="offer">
${icon(file.type)}
<h1>${isolatedName(file.name)}</h1>
<dl class="facts"><dt>Type</dt><dd>${kindOfFile(file.name, file.type)}</dd><dt>Size</dt><dd class="number">${formatBytes(file.bytes)}</dd></dl>
<p class="muted">${explanation(file, offer.isSavable)}</p>
${offer.isSavable ? html`<a class="button" href="${relativeHref(file.href)}" download="${file.name}">Download</a>` : ''}
${temporaryNote(temporary)}
${placeLinks(offer.place)}
</div>`,
  );
  const noIndex = offer.noIndex === true || temporary !== undefined;
  return renderPage({ brand, title, body, noIndex, framed: true });
}

function explanation({ name, bytes }: OfferedFile, isSavable: boolean): string {
  if (bytes === 0) return 'This file is empty.';
  const programs = programsFor(extensionOf(name)) ?? 'a program on your device';
  return isSavable
    ? `Browsers cannot show this kind of file. Download it to open it with ${programs}.`
    : 'Browsers cannot show this kind of file, and its owner does not offer it for download.';
}
