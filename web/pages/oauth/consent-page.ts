import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { oauthPaths } from '../../../contract/oauth/oauth-paths.ts';
import type { RequestingClient } from '../../../core/oauth/authorization/authorization-request.ts';
import type { RedirectTarget } from '../../../core/oauth/clients/redirect-uri.ts';
import { consentStyle } from '../../styles/oauth-style.ts';
import { cardFrame } from '../parts/card-frame.ts';
import { type Html, html, isolatedName } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { scopeLists } from './scope-texts.ts';
import { spellTarget } from './target-text.ts';

/** The request that a person may allow. */
export interface ConsentRequest {
  brand: string;
  client: RequestingClient;
  scopes: readonly OAuthScope[];
  target: RedirectTarget;
  /** The address of the signed-in account. */
  email: string;
  /** Proves that the form was shown to this person for this request. */
  proof: string;
  /** Days without a use after which access ends by itself. */
  unusedDays: number;
}

/**
 * Asks whether an app may act for the person: who asks, for what, as whom, and where the answer goes.
 *
 * Its form posts `proof` and one of `decision=allow`, `decision=deny` and `account=other` to the
 * page's own address.
 */
export function consentPage(request: ConsentRequest): Page {
  const { brand, client, scopes, target, proof, email, unusedDays } = request;
  const content = html`<h1>Connect ${isolatedName(client.name)}?</h1>
<p>${isolatedName(client.name)} asks to use ${brand} on your behalf. ${whoSaysSo(request)}</p>
<dl class="facts"><dt>Account</dt><dd>${isolatedName(email)}</dd><dt>Return address</dt><dd>${spellTarget(target)}</dd></dl>
${scopeLists(scopes)}
<p class="hint">Allow this only if you have just asked this app to connect.${target.kind === 'this-computer' && ' Any program on this computer could be using its name.'} You can remove the access at any time under <a href="${oauthPaths.connections}">connected apps</a>. It ends automatically if the app does not use it for ${unusedDays} days.</p>
<form class="form" method="post">
<input type="hidden" name="proof" value="${proof}">
<div class="choices"><button class="button" type="submit" name="decision" value="allow">Allow</button><button class="button quiet" type="submit" name="decision" value="deny">Don’t allow</button></div>
<p class="quiet-line hint">Not you? <button class="linked" type="submit" name="account" value="other">Use another account</button></p>
</form>`;
  return cardFrame({
    brand,
    title: `Connect ${client.name}`,
    hull: 'ready',
    content,
    leadsElsewhere: true,
    style: consentStyle,
  });
}

function whoSaysSo({ brand, client: { host } }: ConsentRequest): Html {
  if (host === null) {
    return html`The app chose this name itself. ${brand} does not know who made it.`;
  }
  return html`The name comes from <strong>${isolatedName(host)}</strong>, whose owner is responsible for it.`;
}
