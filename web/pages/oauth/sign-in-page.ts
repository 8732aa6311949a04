import { cardFrame } from '../parts/card-frame.ts';
import { html, named } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { type CodeAsked, codeForm, emailForm } from '../parts/sign-in-forms.ts';

/** The app that waits for a person to sign in. */
interface Waiting {
  brand: string;
  /** As it calls itself. */
  clientName: string;
}

/** Asks who the person is, before they are asked what an app may do. */
export function signInPage(
  asked: Waiting & { signUpOpen: boolean; email?: string | undefined; error?: string | undefined },
): Page {
  const { brand, clientName, ...form } = asked;
  const content = html`<h1>Sign in to connect ${named(clientName)}</h1>
<p>${named(clientName)} asks for access to your ${brand} account. Say who you are first; the next page tells what it wants, and you decide.</p>
${emailForm(form)}`;
  const title = `Sign in to connect ${clientName}`;
  return cardFrame({ brand, title, hull: 'ready', content, leadsElsewhere: true });
}

/** Asks for the code from the e-mail. */
export function signInCodePage(asked: Waiting & CodeAsked): Page {
  const { brand, clientName, ...form } = asked;
  const content = html`<h1>Enter the code</h1>
<p>You are signing in to connect ${named(clientName)}.</p>
${codeForm('Sign in', form)}`;
  const title = 'Enter the code';
  return cardFrame({ brand, title, hull: 'ready', content, leadsElsewhere: true });
}
