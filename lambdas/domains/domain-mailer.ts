import type { DomainMailer } from '../../core/domains/ports.ts';
import { domainNoticeMail } from '../../web/mail/domain-notice-mail.ts';
import { accountMail } from '../shared/account-mail.ts';

/** Mails about custom domains. An installation without a sender address sends none. */
export function domainMailer(): DomainMailer {
  const { notify } = accountMail();
  return {
    sendDomainNotice: (email, notice) =>
      notify(email, (sender) => domainNoticeMail({ ...sender, ...notice })),
  };
}
