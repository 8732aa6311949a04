import type { RedirectTarget } from '../../../core/oauth/clients/redirect-uri.ts';
import { targetStyle } from '../../styles/oauth-style.ts';
import { cardFrame } from '../parts/card-frame.ts';
import { type Html, html, isolatedName } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { type CodeFormInput, codeForm, emailForm } from '../parts/sign-in-forms.ts';
import { spellTarget } from './target-text.ts';

/** The app that waits for a person to sign in. */
interface WaitingApp {
  brand: string;
  /** As it calls itself. */
  clientName: string;
  /** Where the answer goes. The name is chosen by the app, this is not. */
  target: RedirectTarget;
}

/** Asks who the person is, before they are asked what an app may do. */
export function signInPage(
  input: WaitingApp & {
    signUpOpen: boolean;
    email?: string | undefined;
    error?: string | undefined;
  },
): Page {
  const { brand, clientName, target, ...form } = input;
  const content = html`<h1>Sign in to connect ${isolatedName(clientName)}</h1>
<p>${isolatedName(clientName)} asks for access to your ${brand} account. Sign in first. The next page shows what the app wants to do, and you decide.</p>
${answerGoesTo(target)}
${emailForm(form)}`;
  const title = `Sign in to connect ${clientName}`;
  return cardFrame({
    brand,
    title,
    hull: 'ready',
    content,
    leadsElsewhere: true,
    style: targetStyle,
  });
}

/** Asks for the code from the e-mail. */
export function signInCodePage(input: WaitingApp & CodeFormInput): Page {
  const { brand, clientName, target, ...form } = input;
  const content = html`<h1>Enter the code</h1>
<p>You are signing in to connect ${isolatedName(clientName)}.</p>
${answerGoesTo(target)}
${codeForm('Sign in', form)}`;
  const title = 'Enter the code';
  return cardFrame({
    brand,
    title,
    hull: 'ready',
    content,
    leadsElsewhere: true,
    style: targetStyle,
  });
}

function answerGoesTo(target: RedirectTarget): Html {
  return html`<dl class="facts"><dt>Return address</dt><dd>${spellTarget(target)}</dd></dl>`;
}
