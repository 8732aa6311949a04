import { Unshowable } from './unshowable.ts';

/** The place of a viewer on its page: where the file is, and where it is shown. */
export interface ViewerRoot {
  /** Path of the file, relative to the page. */
  source: string;
  /** The file's name. */
  name: string;
  /** What is empty until the file is shown. */
  stage: HTMLElement;
  element: HTMLElement;
}

/**
 * Runs a viewer, and says on the page what it is doing and why it could not do it.
 *
 * The note says at first that the file is being opened; it goes once `show` has shown it.
 */
export async function runViewer(show: (root: ViewerRoot) => Promise<void>): Promise<void> {
  const element = document.querySelector<HTMLElement>('[data-viewer]');
  const stage = element?.querySelector<HTMLElement>('[data-stage]');
  const note = element?.querySelector<HTMLElement>('[data-note]');
  if (!element || !stage || !note) return;
  const { source = '', name = '' } = element.dataset;
  note.hidden = false;
  try {
    await show({ source, name, stage, element });
    note.hidden = true;
    element.dataset['state'] = 'shown';
  } catch (error) {
    stage.hidden = true;
    for (const control of element.querySelectorAll<HTMLElement>('[data-controls]')) {
      control.hidden = true;
    }
    note.textContent =
      error instanceof Unshowable
        ? error.message
        : 'This file is damaged, or has something that this page cannot show.';
    element.dataset['state'] = 'refused';
  }
}
