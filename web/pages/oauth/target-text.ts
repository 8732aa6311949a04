import type { RedirectTarget } from '../../../core/oauth/clients/redirect-uri.ts';
import { type Html, html, isolatedName } from '../parts/html.ts';

/** Where the answer to an app goes, in the words that every page uses for it. */
export function spellTarget(target: RedirectTarget): Html {
  switch (target.kind) {
    case 'site':
      return html`<strong>${isolatedName(target.host)}</strong>`;
    case 'this-computer':
      return html`an app on <strong>this computer</strong>`;
    case 'app':
      return html`the app on this device that opens <strong>${isolatedName(`${target.scheme}://`)}</strong>`;
  }
}
