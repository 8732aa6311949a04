import { type Html, html } from './html.ts';

/** Why a form came back; named by its field, and read out at once. */
export function fault(id: string, error: string | undefined): Html {
  return html`${error !== undefined && html`<p class="fault" id="${id}" role="alert">${error}</p>`}`;
}
