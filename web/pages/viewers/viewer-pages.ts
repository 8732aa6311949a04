import { viewerOf, type Viewer } from '../../../core/content/detect-type.ts';
import type { Page } from '../parts/page.ts';
import { documentPage } from './document-page.ts';
import { fontPage } from './font-page.ts';
import { imagePage } from './image-page.ts';
import { mediaPage } from './media-page.ts';
import { modelPage } from './model-page.ts';
import { pdfPage } from './pdf-page.ts';
import { presentationPage } from './presentation-page.ts';
import { readerPage } from './reader-page.ts';
import { tablePage } from './table-page.ts';
import type { ViewerInput } from './viewer-frame.ts';

/** Every viewer of `core/content/detect-type.ts` with its page. */
const viewerPages: Record<Viewer, (input: ViewerInput) => Page> = {
  document: documentPage,
  font: fontPage,
  image: imagePage,
  media: mediaPage,
  model: modelPage,
  pdf: pdfPage,
  presentation: presentationPage,
  reader: readerPage,
  table: tablePage,
};

/** The viewer page of a file; `undefined` for text, and for a file that has no viewer or is too large for it. */
export function viewerPage(input: ViewerInput): Page | undefined {
  const viewer = viewerOf(input.file.readAs ?? input.file.name, input.file.bytes);
  return viewer === undefined ? undefined : viewerPages[viewer](input);
}
