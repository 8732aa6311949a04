import { escapeHtml as escape, localPage } from '../operator/page.ts';
import type { Mail } from './mail-store.ts';

const STYLE = `
details { border: 1px solid var(--line); border-radius: .75rem; margin: 0 0 .75rem; overflow: hidden; }
summary { cursor: pointer; padding: .75rem 1rem; display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; }
summary:hover, details[open] > summary { background: var(--soft); }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
summary b { overflow-wrap: anywhere; }
summary time, summary span { opacity: .7; font-size: .875rem; }
summary span { grid-column: 1 / -1; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0; padding: 1rem; border-top: 1px solid var(--line); font-size: .875rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 24rem; border: 0; border-top: 1px solid var(--line); background: #fff; color-scheme: light; }
pre { margin: 0; padding: 1rem; border-top: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.5 ui-monospace, monospace; }
`;

function fields(mail: Mail): string {
  return `<dl><dt>From</dt><dd>${escape(mail.from)}</dd><dt>To</dt><dd>${escape(mail.to.join(', '))}</dd></dl>`;
}

/** The mail's HTML is shown in a sandboxed frame: it runs no script and has no network access. */
function body(mail: Mail): string {
  const frame =
    mail.html === ''
      ? ''
      : `<iframe sandbox="" title="The mail as a mail program shows it" srcdoc="${escape(mail.html)}"></iframe>`;
  return `${frame}${mail.text === '' ? '' : `<pre>${escape(mail.text)}</pre>`}`;
}

function entry(mail: Mail, index: number): string {
  const sentAt = escape(mail.sentAt);
  return `<details${index === 0 ? ' open' : ''}><summary><b>${escape(mail.subject) || '(no subject)'}</b><time datetime="${sentAt}">${sentAt}</time><span>to ${escape(mail.to.join(', '))}</span></summary>${fields(mail)}${body(mail)}</details>`;
}

/** The inbox of the local cloud as a page; all content of mails is escaped. */
export function inboxPage(mails: Mail[]): string {
  const list = mails.map(entry).join('\n');
  const note =
    mails.length === 0 ? 'No e-mails yet.' : 'Newest first. No e-mail leaves this computer.';
  return localPage('Local inbox', { style: STYLE, body: `<p>${note}</p>\n${list}` });
}
