import { cardFrame } from '../parts/card-frame.ts';
import { html, isolatedName } from '../parts/html.ts';
import type { Page } from '../parts/page.ts';
import { type CodeFormInput, codeForm, emailForm } from '../parts/sign-in-forms.ts';

/** The app that waits for a person to sign in. */
interface WaitingApp {
  brand: string;
  /** As it calls itself. */
  clientName: string;
}

/** Asks who the person is, before they are asked what an app may do. */
export function signInPage(
  input: WaitingApp & {
    signUpOpen: boolean;
    email?: string | undefined;
    error?: string | undefined;
  },
): Page {
  const { brand, clientName, ...form } = input;
  const content = html`<h1>Sign in to connect ${isolatedName(clientName)}</h1>
<p>${isolatedName(clientName)} asks for access to your ${brand} account. Sign in first. The next page shows what the app wants to do, and you decide.</p>
${emailForm(form)}`;
  const title = `Sign in to connect ${clientName}`;
  return cardFrame({ brand, title, hull: 'ready', content, leadsElsewhere: true });
}

/** Asks for the code from the e-mail. */
export function signInCodePage(input: WaitingApp & CodeFormInput): Page {
  const { brand, clientName, ...form } = input;
  const content = html`<h1>Enter the code</h1>
<p>You are signing in to connect ${isolatedName(clientName)}.</p>
${codeForm('Sign in', form)}`;
  const title = 'Enter the code';
  return cardFrame({ brand, title, hull: 'ready', content, leadsElsewhere: true });
}
