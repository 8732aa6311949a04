import { sendMail } from '../../adapters/ses/mail.ts';
import type { DomainMailer } from '../../core/domains/ports.ts';
import { domainNoticeMail } from '../../web/mail/domain-notice-mail.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';

/** Mails about custom domains. An installation without a sender address sends none. */
export function domainMailer(): DomainMailer {
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const from = setting('MAIL_FROM');
  const mail = lazy(() => sendMail({ from, configurationSet: setting('MAIL_CONFIGURATION_SET') }));
  return {
    async sendDomainNotice(email, notice) {
      if (from !== '') await mail()(email, domainNoticeMail({ ...names, ...notice }));
    },
  };
}
