import { boundAttachments } from './attachment-bounds.ts';
import { boundOptions } from './option-bounds.ts';
import { boundPages, type XfaNode } from './xfa-bounds.ts';

/**
 * Bounds what pdf.js sends from its worker to the page: the page of the browser stands still while it
 * takes a message, and every message becomes elements.
 *
 * @param message in the form of pdf.js, whose version is pinned: the document when it is open, or the
 *   answer to a call, such as the annotations of a page or the attached files by name
 */
export function boundMessage(message: unknown): void {
  const data = property(message, 'data');
  const form = property(property(data, 'pdfInfo'), 'htmlForXfa');
  if (isNode(form)) boundPages(form);
  if (Array.isArray(data)) {
    boundOptions(data);
    boundAttachments(data.map((annotation) => property(annotation, 'file')));
  } else if (typeof data === 'object' && data !== null) boundAttachments(Object.values(data));
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function isNode(value: unknown): value is XfaNode {
  return Array.isArray(property(value, 'children'));
}
