import { unhide } from '../parts/viewer-root.ts';
import { saveFile } from '../parts/save-file.ts';
import type { OpenDocument } from './open-document.ts';

/** What was entered; the library's types have no place for a function. */
interface Changes {
  onSetModified: (() => void) | null;
  /** Names everything that was entered until now. */
  readonly serializable: { hash: string };
}

/** Says that a document is a form, and saves it with what was entered. */
export async function explainForm(
  { pdf, isFormTooSlow }: OpenDocument,
  name: string,
): Promise<void> {
  const { info } = await pdf.getMetadata();
  const hasFields = 'IsAcroFormPresent' in info && info.IsAcroFormPresent === true;
  const isXfa = 'IsXFAPresent' in info && info.IsXFAPresent === true;
  if (isXfa && !hasFields && !pdf.isPureXfa) unhide(isFormTooSlow ? '#slow' : '#drawn');
  if (!pdf.isPureXfa && !hasFields) return;
  if (pdf.isPureXfa) unhide('#scripted');
  unhide('#form');
  const storage: Changes = pdf.annotationStorage;
  const warn = (event: Event) => event.preventDefault();
  // The library forgets the changes also when it could not save them, or not the last of them.
  storage.onSetModified = () => addEventListener('beforeunload', warn);
  const button = document.querySelector<HTMLButtonElement>('[data-save]');
  button?.addEventListener('click', () => {
    button.disabled = true;
    const { hash } = storage.serializable;
    void pdf
      .saveDocument()
      .then((bytes) => {
        saveFile(name, new Uint8Array(bytes));
        if (storage.serializable.hash === hash) removeEventListener('beforeunload', warn);
      })
      .catch(() => unhide('#unsaved'))
      .finally(() => {
        button.disabled = false;
      });
  });
}
