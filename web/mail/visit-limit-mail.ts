import { html } from '../pages/parts/html.ts';
import {
  type Mail,
  mailFrame,
  mutedStyle,
  oneLine,
  paragraphStyle,
  plainText,
  type Sender,
} from './mail-frame.ts';

/** How much of its monthly visit limit an account has used. */
export interface VisitLimitNotice extends Sender {
  percent: 80 | 100;
  visits: number;
  limit: number;
}

const figure = (value: number) => value.toLocaleString('en-US');

/** The mail that tells an owner how much of the plan's monthly visits is used, and what comes next. */
export function visitLimitMail(mail: VisitLimitNotice): Mail {
  const sender = { brand: oneLine(mail.brand), baseUrl: mail.baseUrl };
  const { percent, visits, limit } = mail;
  const subject =
    percent === 80
      ? `Your ${sender.brand} account has used 80 % of this month’s visits`
      : `Your ${sender.brand} account has used all of this month’s visits`;
  const summary = `Your projects had ${figure(visits)} visits this month. Your plan includes ${figure(limit)} visits a month.`;
  const now = 'Nothing changes for now: everybody can still open your pages.';
  const later = `At ${figure(2 * limit)} visits, your pages stop until the first day of next month (UTC), and visitors see a page that says so. To avoid that, change to a larger plan.`;
  const counted = 'A visit is a request for a page. Requests of known bots are not counted.';
  const body = html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${subject}</h1>
<p style="${paragraphStyle}">${summary}</p>
<p style="${paragraphStyle}">${now} ${later}</p>
<p class="muted" style="${mutedStyle}">${counted}</p>`;
  return {
    subject,
    text: plainText(sender, [summary, `${now} ${later}`, counted]),
    html: mailFrame({ sender, subject, preheader: summary, body }),
  };
}
