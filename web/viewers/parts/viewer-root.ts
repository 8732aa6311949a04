import { ViewerError } from './fetch-file.ts';

/** The element of a viewer on its page. */
export interface ViewerRoot {
  /** Where the file is, relative to the page. */
  source: string;
  /** The file's name. */
  name: string;
  /** Empty until the file is shown. */
  stage: HTMLElement;
}

/** Runs a viewer, shows the page's tools once it has shown the file, and says why when it cannot. */
export async function runViewer(show: (root: ViewerRoot) => Promise<void>): Promise<void> {
  const element = document.querySelector<HTMLElement>('[data-viewer]');
  const stage = element?.querySelector<HTMLElement>('[data-stage]');
  const loading = element?.querySelector<HTMLElement>('[data-loading]');
  if (!element || !stage || !loading) return;
  const { source = '', name = '' } = element.dataset;
  try {
    await show({ source, name, stage });
    loading.hidden = true;
    for (const tools of document.querySelectorAll<HTMLElement>('[data-controls]')) {
      tools.hidden = false;
    }
  } catch (error) {
    element.hidden = true;
    showError(error);
  }
}

function showError(error: unknown): void {
  const fault = document.querySelector<HTMLElement>('[data-fault]');
  const reason = fault?.querySelector('[data-reason]');
  if (reason) reason.textContent = reasonOf(error);
  if (fault) fault.hidden = false;
}

function reasonOf(error: unknown): string {
  return error instanceof ViewerError
    ? error.message
    : 'The file is damaged, or it uses a feature that this page does not support.';
}

/** Finds an element that the page always has; a missing one is a bug. */
export function element<T extends Element>(
  selector: string,
  kind: abstract new (...args: never[]) => T,
  within: ParentNode = document,
): T {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`no ${selector}`);
  return found;
}

/** Shows an element that the page hides at first. */
export function unhide(selector: string): void {
  element(selector, HTMLElement).hidden = false;
}
