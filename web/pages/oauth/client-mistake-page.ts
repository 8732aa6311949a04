import type { RequestingClient } from '../../../core/oauth/authorization/authorization-request.ts';
import type { RedirectTarget } from '../../../core/oauth/clients/redirect-uri.ts';
import { cardFrame } from '../parts/card-frame.ts';
import { html, isolatedName } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';

/** Says that an app's request has a mistake, and lets a person take the answer to the app by hand. */
export function clientMistakePage(mistake: {
  brand: string;
  client: RequestingClient;
  /** The error, for the app's developers. */
  detail: string;
  target: RedirectTarget;
  /** The app's address with the error. */
  location: string;
}): Page {
  const { brand, client, detail, target, location } = mistake;
  const content = html`<p class="status">400</p>
<h1>This app made a mistake</h1>
<p>${isolatedName(client.name)} asked ${brand} for something that it cannot accept: ${detail}</p>
<p>Nothing was allowed, and nothing was sent to the app. You can close this page. If you just asked this app to connect, you can return to it with this error.</p>
<div class="choices"><a class="button quiet" rel="noreferrer" href="${location}">Return to ${isolatedName(targetName(target))}</a></div>`;
  return cardFrame({ brand, title: 'This app made a mistake', hull: 'none', content });
}

function targetName(target: RedirectTarget): string {
  switch (target.kind) {
    case 'site':
      return target.host;
    case 'this-computer':
      return 'an app on this computer';
    case 'app':
      return `the app on this device that opens ${target.scheme}://`;
  }
}
