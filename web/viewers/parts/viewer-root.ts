import { Unshowable } from './unshowable.ts';

/** The place of a viewer on its page: where the file is, and where it is shown. */
export interface ViewerRoot {
  /** Where the file is, relative to the page. */
  source: string;
  /** The file's name. */
  name: string;
  /** What is empty until the file is shown. */
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
    complain(error);
  }
}

function complain(error: unknown): void {
  const fault = document.querySelector<HTMLElement>('[data-fault]');
  const reason = fault?.querySelector('[data-reason]');
  if (reason) reason.textContent = reasonOf(error);
  if (fault) fault.hidden = false;
}

function reasonOf(error: unknown): string {
  return error instanceof Unshowable
    ? error.message
    : 'It is damaged, or has something in it that this page does not know.';
}
