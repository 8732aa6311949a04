import { formatInstant } from '../pages/parts/format.ts';
import { type Html, html, trusted } from '../pages/parts/html.ts';

/** A mail of a kind that its reader can stop. */
export function stoppableMail(mail: Sender & { stopToken: string }, notice: Notice): Mail {
  const unsubscribeUrl = `${mail.baseUrl}/mails/stop/${mail.stopToken}`;
  const stop = `To stop these mails, open this link and press the button there: ${unsubscribeUrl}`;
  return {
    ...noticeMail(mail, { ...notice, other: [...(notice.other ?? []), stop] }),
    unsubscribeUrl,
  };
}

/** A mail as text and as HTML, with the same content. */
export interface Mail {
  subject: string;
  text: string;
  html: string;
  /** The address that stops mails of this kind; a POST to it needs no sign-in. */
  unsubscribeUrl?: string;
}

/** The sender of a mail. */
export interface Sender {
  brand: string;
  /** Scheme and host of the app. */
  baseUrl: string;
  /** The link that stops the deletion of the recipient's account, while it is being deleted. */
  stopsDeletion?: { url: string; until: string } | undefined;
}

/** Who a mail is from, its name as a header may hold it, and what else every mail says. */
function senderOf({ brand, baseUrl, stopsDeletion }: Sender): Sender {
  return { brand: oneLine(brand), baseUrl, stopsDeletion };
}

/** A paragraph of a mail: its text, or one whose HTML is more than a paragraph with that text. */
type Paragraph = string | { text: string; html: Html };

/** What a mail says, in the order of reading. */
interface Notice {
  subject: string;
  /** Above the text, by default the subject. */
  heading?: string;
  /** The text beside the subject in a list of mails, by default the first paragraph that is only text. */
  preheader?: string;
  paragraphs: readonly Paragraph[];
  /** Below it in small type, for example what to do if the mail is not expected. */
  other?: readonly string[];
}

/** A mail as text and as HTML, with the same content. */
export function noticeMail(mail: Sender, notice: Notice): Mail {
  const { subject, heading = subject, paragraphs, other = [] } = notice;
  const sender = senderOf(mail);
  const texts = paragraphs.map((one) => (typeof one === 'string' ? one : one.text));
  const { preheader = paragraphs.find((one) => typeof one === 'string') ?? '' } = notice;
  const body = html`<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${withJoiners(heading)}</h1>
${paragraphs.map((one) => (typeof one === 'string' ? html`<p style="${paragraphStyle}">${withJoiners(one)}</p>` : one.html))}
${other.map((text) => html`<p class="muted" style="${mutedStyle}">${text}</p>`)}`;
  return {
    subject,
    text: plainText(sender, [...texts, ...other]),
    html: mailFrame({ sender, subject, preheader, body }),
  };
}

/** The digits of a code, large and easy to select. */
export function digitsParagraph(digits: string): Paragraph {
  return {
    text: `    ${digits}`,
    html: html`<p class="digits" style="${digitsStyle}">${digits}</p>`,
  };
}

/** The long code of the same mail, and for how long it works. It works even if strangers use up the tries for the digits. */
export function longCodeParagraph(code: string, life: string): Paragraph {
  const why = 'If the code is refused because of too many wrong codes, use this long code:';
  return {
    text: `${why}\n    ${code}\n${life}`,
    html: html`<p class="muted" style="${mutedStyle}">${why}<br><code style="white-space:nowrap">${code}</code><br>${life}</p>`,
  };
}

const digitsStyle =
  "margin:0 0 16px;padding:18px 8px 18px 18px;border-radius:10px;background:#d9e9ea;color:#12242c;font:700 34px/1.2 ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace;letter-spacing:10px;text-align:center;white-space:nowrap;-webkit-user-select:all;user-select:all";

/** The parts of the HTML form of a mail. */
interface MailParts {
  sender: Sender;
  subject: string;
  /** The text beside the subject in a list of mails. */
  preheader: string;
  body: Html;
}

/**
 * The dark scheme. Some mail programs drop `<style>`, so all other styles are inline, and the dark
 * scheme replaces every colour that it needs.
 */
const darkScheme = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,.paper{background:#0c161b!important}
.card{background:#13212a!important;border-color:#273842!important;color:#e6eeec!important}
.digits{background:#15323c!important;color:#e6eeec!important}
.muted{color:#a2b4b9!important}.muted a{color:#7cc7d0!important}
}`;

const sans = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Paragraphs of a card; margins are given because mail programs differ in theirs. */
export const paragraphStyle = 'margin:0 0 16px';
export const mutedStyle = 'margin:0 0 8px;font-size:14px;line-height:1.5;color:#4c5f68';

/**
 * One card, at most 480 px wide, that loads nothing: no images, fonts or tracking pixels.
 *
 * The table is for Outlook on Windows, which supports the `width` of a table, but no `max-width`.
 */
function mailFrame({ sender, subject, preheader, body }: MailParts): string {
  const { brand, baseUrl, stopsDeletion } = sender;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${withJoiners(subject)}</title>
<style>${trusted(darkScheme)}</style>
</head>
<body style="margin:0;padding:0;background:#f1f4f3">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${withJoiners(preheader)}${trusted(filler)}</div>
<div class="paper" role="article" aria-label="${withJoiners(subject)}" lang="en" style="padding:24px 12px;background:#f1f4f3">
<table role="presentation" align="center" width="480" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:480px;margin:0 auto"><tr>
<td class="card" style="padding:28px 24px;border:1px solid #d2dbda;border-radius:14px;background:#ffffff;color:#12242c;font:16px/1.5 ${sans};overflow-wrap:anywhere">
${body}
${
  stopsDeletion &&
  html`<p style="${paragraphStyle}">${stopText(stopsDeletion)}<br><a href="${stopsDeletion.url}" style="color:#17616d">${stopsDeletion.url}</a></p>`
}
<p class="muted" style="${mutedStyle};margin:24px 0 0">${brand}<br><a href="${baseUrl}" style="color:#17616d">${baseUrl}</a></p>
</td>
</tr></table>
</div>
</body>
</html>
`.toString();
}

/** Keeps a list of mails from showing the start of the body after the preheader. */
const filler = '&#847;&zwnj;&nbsp;'.repeat(40);

/** The plain form: paragraphs, and who it is from. */
function plainText(sender: Sender, paragraphs: readonly string[]): string {
  const { brand, baseUrl, stopsDeletion: stops } = sender;
  const link = stops === undefined ? [] : [`${stopText(stops)}\n${stops.url}`];
  return `${[...paragraphs, ...link, `${oneLine(brand)}\n${baseUrl}`].join('\n\n')}\n`;
}

function stopText({ until }: { until: string }): string {
  return `Somebody who was signed in deleted the account of this address. It is gone for good on ${formatInstant(until)}. To keep it, open this link and press the button there:`;
}

/**
 * A title or name in a mail: in one line, and no address in it becomes a link. Strangers who send files are in titles, and
 * mail programs link what has the shape of an address. A word joiner (U+2060) takes that shape away, and nobody sees it.
 */
export function nameInMail(text: string): string {
  return oneLine(text)
    .replaceAll(wordJoiner, '')
    .replace(/[.:@/](?=\S)/gu, `$&${wordJoiner}`);
}

const wordJoiner = '\u2060';

/** A text of a mail for its HTML, which shows by U+FFFD whatever else nobody would see. */
function withJoiners(text: string): Html[] {
  const parts = text.split(wordJoiner).map((part) => html`${part}`);
  return parts.flatMap((part, index) => (index === 0 ? [part] : [trusted('&#8288;'), part]));
}

/** A setting as a header may hold it: a line break in a subject would begin another header (RFC 5322 §2.2). */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
}
