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

/** How a month of an account stands. */
export interface MonthNews extends Sender {
  percent: 80 | 100;
  visits: number;
  limit: number;
}

const figure = (value: number) => value.toLocaleString('en-US');

/** The mail that tells an owner how much of the plan's monthly visits is used, and what comes next. */
export function visitLimitMail(mail: MonthNews): Mail {
  const sender = { brand: oneLine(mail.brand), baseUrl: mail.baseUrl };
  const { percent, visits, limit } = mail;
  const subject =
    percent === 80
      ? `80 % of your ${sender.brand} visits of this month are used`
      : `Your ${sender.brand} visits of this month are used up`;
  const standing = `Your projects had ${figure(visits)} of the ${figure(limit)} visits that your plan has for a month.`;
  const now = 'Nothing changes for now: your pages go on being served to everybody.';
  const later = `At ${figure(2 * limit)} visits they rest until the first of next month (UTC), and visitors are told so. A larger plan lets them go on.`;
  const counted = 'Visits are page requests; those of known bots are not counted.';
  const body = html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${subject}</h1>
<p style="${paragraphStyle}">${standing}</p>
<p style="${paragraphStyle}">${now} ${later}</p>
<p class="muted" style="${mutedStyle}">${counted}</p>`;
  return {
    subject,
    text: plainText(sender, [standing, `${now} ${later}`, counted]),
    html: mailFrame({ sender, subject, preheader: standing, body }),
  };
}
