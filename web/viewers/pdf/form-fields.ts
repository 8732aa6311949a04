import {
  AnnotationLayer,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist/legacy/build/pdf.mjs';

/** What is read of an annotation to tell whether it is a field that somebody can fill in. */
export interface FieldAnnotation {
  subtype?: unknown;
  fieldType?: unknown;
  pushButton?: unknown;
  /** What is shown of a field that has too many choices. */
  shownText?: unknown;
}

/**
 * The part of the library's layer that is used here. Its own type also requires the library's
 * viewer.
 */
interface FieldLayer {
  render(parameters: object): Promise<void>;
}

/** Each field is an element of the document; a page with more shows the fields as they are drawn. */
const mostFields = 1000;

/** The fields of a page for text, choices and marks. Buttons run scripts, and signatures are drawn. */
export function fieldsAmong<Some extends FieldAnnotation>(annotations: readonly Some[]): Some[] {
  const fields = annotations.filter(
    ({ subtype, fieldType, pushButton }) =>
      subtype === 'Widget' && /^(?:Tx|Ch|Btn)$/.test(String(fieldType)) && pushButton !== true,
  );
  return fields.length <= mostFields ? fields : [];
}

/** Lays the fields over the picture of their page. What is entered stays in the document's storage. */
export async function layFields(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  annotations: readonly FieldAnnotation[],
): Promise<HTMLElement> {
  const div = document.createElement('div');
  div.className = 'fields';
  const viewport = page.getViewport({ scale: 1 });
  const { annotationStorage } = pdf;
  const layer: FieldLayer = new AnnotationLayer({
    div,
    page,
    viewport,
    annotationStorage,
    accessibilityManager: undefined,
    annotationCanvasMap: undefined,
    annotationEditorUIManager: undefined,
    structTreeLayer: undefined,
    commentManager: undefined,
    // Only buttons and scripts would use it.
    linkService: {},
  });
  const fields = annotations.filter(({ shownText }) => shownText === undefined);
  await layer.render({
    annotations: fields,
    viewport,
    div,
    page,
    annotationStorage,
    renderForms: true,
  });
  for (const field of div.querySelectorAll('input, textarea, select')) {
    const name = field.closest('[title]')?.getAttribute('title') ?? field.getAttribute('name');
    if (name !== null) field.setAttribute('aria-label', name);
  }
  // The library hides fields that a script may change later. They are in the picture of the page;
  // screen readers need them too.
  for (const field of div.querySelectorAll<HTMLElement>('[hidden]')) field.hidden = false;
  return div;
}
