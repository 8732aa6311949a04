import type { DomainNotice } from '../../core/domains/ports.ts';
import { html } from '../pages/parts/html.ts';
import { type Mail, noticeMail, oneLine, paragraphStyle, type Sender } from './mail-frame.ts';

/** The mail that tells an owner that a custom domain needs attention. */
export function domainNoticeMail(mail: Sender & DomainNotice): Mail {
  const domain = oneLine(mail.domain);
  const { subject, what, next } = texts({ ...mail, domain });
  const last = mail.isLastToday === true ? [lastToday] : [];
  const lines = mail.detail
    .split('\n')
    .map(oneLine)
    .filter((line) => line !== '');
  const records = lines.map((text) => ({
    text,
    html: html`<p style="${paragraphStyle}"><code>${text}</code></p>`,
  }));
  return noticeMail(mail, { subject, paragraphs: [what, ...records, next, ...last] });
}

const check = 'Correct the records at your DNS provider, then check the domain again.';

const lastToday =
  'You get no other mail about your domains today. Look at all of them in the dashboard: more may need you.';

function texts({ kind, domain }: DomainNotice) {
  switch (kind) {
    case 'lost-records':
      return {
        subject: `The DNS records of ${domain} are not right`,
        what: `Visitors may not reach your sites at ${domain}. These records are missing or wrong:`,
        next: check,
      };
    case 'certificate-ends':
      return {
        subject: `The certificate of ${domain} ends soon`,
        what: `The certificate of ${domain} could not be renewed. It ends at the time below; records that are missing follow it.`,
        next: check,
      };
    case 'plan-ended':
      return {
        subject: `Your plan no longer includes ${domain}`,
        what: `Your plan includes no custom domains. Your sites stay at ${domain} until the time below, then nobody can open them there.`,
        next: 'Upgrade to keep the domain. Your projects are kept in any case.',
      };
    case 'resting':
      return {
        subject: `Your sites at ${domain} rest now`,
        what: `Your plan has included no custom domains for 14 days. ${domain} no longer shows your sites.`,
        next: 'Upgrade to show them again, or remove the domain to give your projects other addresses.',
      };
    case 'lost-to-other':
      return {
        subject: `Another account has proved that it owns ${domain}`,
        what: `Your DNS records for ${domain} were gone, and another account set its own. The domain was removed from your account. Your projects have addresses of this service again.`,
        next: 'If this is a mistake, look at the DNS records of the domain, and add it again.',
      };
  }
}
