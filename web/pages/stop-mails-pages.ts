import type { MailKind } from '../../contract/fields.ts';
import { cardFrame, problemCard } from './parts/card-frame.ts';
import { html, isolatedName } from './parts/html.ts';
import type { Page } from './parts/page.ts';

type StopMails = { brand: string } & (
  | { kind: MailKind }
  | {
      title: string;
      /** The share link that the mails are about; null for all opens of the project. */
      linkName: string | null;
    }
);

/** When the mails of a kind are sent. */
const occasions: Record<MailKind, string> = {
  opens: 'somebody opens one of your projects',
  uploads: 'files arrive by one of your upload links',
  expiry: 'one of your projects expires in a day',
  trial: 'your trial ends in three days',
  takedowns: 'the operator takes down a project of yours',
};

function occasionOf(mails: StopMails) {
  if ('kind' in mails) return occasions[mails.kind];
  const { title, linkName } = mails;
  return html`somebody opens “${isolatedName(title)}”${linkName !== null && html` by the link “${isolatedName(linkName)}”`}`;
}

/** The page of the link that stops mails. Only its button does, because mail scanners open links. */
export function stopMailsPage(mails: StopMails): Page {
  const title = 'Stop these e-mails?';
  const content = html`<h1>${title}</h1>
<p>You get e-mails when ${occasionOf(mails)}. The button stops them. All other e-mails stay.</p>
<form class="form" method="post"><div class="choices"><button class="button" type="submit">Stop these e-mails</button></div></form>`;
  return cardFrame({ brand: mails.brand, title, hull: 'ready', content });
}

/** The answer to the button. */
export function mailsStoppedPage(mails: StopMails): Page {
  const title = 'No more of these e-mails';
  const content = html`<h1>${title}</h1>
<p>You get no more e-mails when ${occasionOf(mails)}. To get them again, sign in and open ${'kind' in mails ? 'your account' : 'the project'}.</p>
<div class="choices"><a class="button" href="/dashboard">Open the dashboard</a></div>`;
  return cardFrame({ brand: mails.brand, title, hull: 'afloat', content });
}

/** A link that stops nothing: it is wrong or very old, or the project is gone. */
export function stopNothingPage({ brand }: { brand: string }): Page {
  return problemCard({
    brand,
    status: 404,
    title: 'This link stops no e-mails',
    detail: 'The link is not complete or too old, or the project is gone.',
    next: html`<p>Sign in and open the project: under “Share” and “Links” you choose which e-mails you get.</p>
<div class="choices"><a class="button" href="/dashboard">Sign in</a></div>`,
  });
}
