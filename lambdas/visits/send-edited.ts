import { readRange } from '../../core/visit/protocol/byte-range.ts';
import type { PageEdit, VisitAnswer } from './visit-answer.ts';

/** An answer with its bytes, or without any. */
export interface Sent {
  answer: VisitAnswer;
  bytes?: Uint8Array;
}

/** A stored page with its new head: all of it, or the part that was asked for, counted in what is sent. */
export async function sendEdited(
  answer: VisitAnswer,
  edit: PageEdit,
  stored: Uint8Array,
): Promise<Sent> {
  // The parser is large, and many visits need none.
  const { editPage } = await import('../../core/page-edits/edit-page.ts');
  const page = editPage(stored, edit.head);
  const part = readRange(edit.range, page.length);
  if (part === 'whole') return { answer, bytes: page };
  if (part === 'unsatisfiable') return { answer: edit.unsatisfiable(page.length) };
  const { first, last } = part;
  const contentRange = { 'content-range': `bytes ${first}-${last}/${page.length}` };
  return {
    answer: { ...answer, status: 206, headers: { ...answer.headers, ...contentRange } },
    bytes: page.subarray(first, last + 1),
  };
}
