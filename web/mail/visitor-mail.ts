import { formatCount } from '../pages/parts/format.ts';
import { html } from '../pages/parts/html.ts';
import {
  digitsParagraph,
  longCodeParagraph,
  type Mail,
  noticeMail,
  oneLine,
  paragraphStyle,
  type Sender,
} from './mail-frame.ts';

/** The page that somebody wants to open. */
interface VisitorMail extends Sender {
  /** Its host name. It is no link: programs open links of mails, and people would take it for the way in. */
  host: string;
}

/** The mail with the codes that open a page for people who prove their address. It has no link: the codes alone act. */
export function visitorCodeMail(
  mail: VisitorMail & { digits: string; minutes: number; longCode: string },
): Mail {
  const { digits } = mail;
  const host = oneLine(mail.host);
  const use = 'Enter it on the page where you asked for it.';
  const valid = `It works once, for ${formatCount(mail.minutes, 'minute')}.`;
  return noticeMail(mail, {
    subject: `${digits} opens ${host}`,
    heading: 'Your code',
    preheader: `${use} ${valid}`,
    paragraphs: [
      { text: `Your code for the page at ${host}:`, html: html`` },
      digitsParagraph(digits),
      {
        text: `${use}\n${valid}`,
        html: html`<p style="${paragraphStyle}">${use} ${valid}</p>`,
      },
      longCodeParagraph(mail.longCode, 'It works once, for a day.'),
      `The owner of the page at ${host} sees your e-mail address, and when you open the page.`,
    ],
    other: [
      'If you did not ask for it, ignore this e-mail. Nobody can open the page in your name without the code. Give it to nobody.',
    ],
  });
}

/** The mail instead of a code to an address that may not open the page. Only the mail says so, never the page. */
export function notListedMail(mail: VisitorMail): Mail {
  const host = oneLine(mail.host);
  return noticeMail(mail, {
    subject: `Opening ${host}`,
    heading: 'This address does not open the page',
    preheader: 'This address does not open the page.',
    paragraphs: [
      `Someone asked for a code to open the page at ${host} with this address. Its owner has not let this address in, so there is no code.`,
      'If it was you, use the address at which you were invited, or ask the owner of the page to add this one.',
    ],
    other: ['If it was not you, ignore this e-mail. Nothing happened.'],
  });
}
