import { unhide } from '../parts/viewer-root.ts';
import { saveFile } from '../parts/save-file.ts';
import type { OpenDocument } from './open-document.ts';

/** What is told of changes; the library's types have no place for a function. */
interface Changes {
  onSetModified: (() => void) | null;
  onResetModified: (() => void) | null;
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
  storage.onSetModified = () => addEventListener('beforeunload', warn);
  storage.onResetModified = () => removeEventListener('beforeunload', warn);
  const button = document.querySelector<HTMLButtonElement>('[data-save]');
  button?.addEventListener('click', () => {
    button.disabled = true;
    void pdf
      .saveDocument()
      .then((bytes) => saveFile(name, new Uint8Array(bytes)))
      .catch(() => unhide('#unsaved'))
      .finally(() => {
        button.disabled = false;
      });
  });
}
