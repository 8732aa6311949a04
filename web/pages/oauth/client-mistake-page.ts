import type { AskingClient } from '../../../core/oauth/authorization/authorization-request.ts';
import type { RedirectTarget } from '../../../core/oauth/authorization/redirect-target.ts';
import { cardFrame } from '../parts/card-frame.ts';
import { html, named } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';

/** Says that an app's request has a mistake, and lets a person take the answer to the app by hand. */
export function clientMistakePage(mistake: {
  brand: string;
  client: AskingClient;
  /** What is wrong, for the app's makers. */
  detail: string;
  target: RedirectTarget;
  /** The app's address with the error. */
  location: string;
}): Page {
  const { brand, client, detail, target, location } = mistake;
  const content = html`<p class="status">400</p>
<h1>This app’s request has a mistake</h1>
<p>${named(client.name)} asked to connect in a way that ${brand} does not answer: ${detail}</p>
<p>Nothing was allowed, and nothing was sent to the app. You can close this page. If you asked this app to connect just now, you can go back and let it know.</p>
<div class="choices"><a class="button quiet" rel="noreferrer" href="${location}">Return to ${named(targetName(target))}</a></div>`;
  return cardFrame({ brand, title: 'Request with a mistake', hull: 'none', content });
}

function targetName(target: RedirectTarget): string {
  switch (target.kind) {
    case 'site':
      return target.host;
    case 'this-computer':
      return 'the app on this computer';
    case 'app':
      return `the app that opens ${target.scheme}://`;
  }
}
