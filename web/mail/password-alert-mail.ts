import { html } from '../pages/parts/html.ts';
import { spellMoment } from '../pages/parts/moments.ts';
import {
  type Mail,
  mailFrame,
  mutedStyle,
  oneLine,
  paragraphStyle,
  plainText,
  type Sender,
} from './mail-frame.ts';

/** At which project wrong passwords were entered, and since when. */
export interface PasswordAlertNews extends Sender {
  title: string;
  url: string;
  /** ISO 8601. */
  since: string;
}

/** The mail that tells an owner of more than a hundred wrong passwords at one project. */
export function passwordAlertMail(mail: PasswordAlertNews): Mail {
  const sender = { brand: oneLine(mail.brand), baseUrl: mail.baseUrl };
  const title = oneLine(mail.title);
  const subject = `Many wrong passwords for “${title}”`;
  const what = `More than 100 wrong passwords were entered for “${title}” since ${spellMoment(mail.since)}. Somebody may be guessing. If many people visit the page, they may also be mistakes.`;
  const held =
    'The page is still protected: people who were never let in have at most 50 wrong tries a day, all of them together. People who were let in before are not kept out.';
  const next =
    'If the password is short, set a longer one: eight or more characters that are not words. If it has four digits, somebody who goes on guessing finds it within months.';
  const often = 'You get this mail at most once a day for a project.';
  const body = html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${subject}</h1>
<p style="${paragraphStyle}">${what}</p>
<p style="${paragraphStyle}">${mail.url}</p>
<p style="${paragraphStyle}">${held}</p>
<p style="${paragraphStyle}">${next}</p>
<p class="muted" style="${mutedStyle}">${often}</p>`;
  return {
    subject,
    text: plainText(sender, [what, mail.url, held, next, often]),
    html: mailFrame({ sender, subject, preheader: what, body }),
  };
}
