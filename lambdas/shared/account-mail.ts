import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { sendMail } from '../../adapters/ses/mail.ts';
import { AccountId } from '../../contract/fields.ts';
import { stopLinkOf } from '../../core/accounts/closing/stop-deletion.ts';
import { CodedError } from '../../core/errors.ts';
import type { Mail, Sender } from '../../web/mail/mail-frame.ts';
import { lazy } from './lazy.ts';
import { setting } from './settings.ts';

/** A mail, written from its sender and from its own fields. */
type Written<T> = (mail: Sender & T) => Mail;

/**
 * Sends mails of this service: without a sender address, `notify` does nothing and `send` throws an
 * error.
 */
export interface AccountMail {
  notify: <T extends object>(to: string, mail: Written<T>, fields: T) => Promise<void>;
  /**
   * `purpose` ends the error's sentence, as in `so nobody can sign in`. @throws CodedError
   * UNAVAILABLE without a sender
   */
  send: <T extends object>(
    to: string,
    purpose: string,
    mail: Written<T>,
    fields: T,
  ) => Promise<void>;
}

/**
 * The only way in which functions send mail. While the account of an address is being deleted, each mail to
 * it carries the link that stops the deletion.
 */
export function accountMail(): AccountMail {
  const from = setting('MAIL_FROM');
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const mail = lazy(() => sendMail({ from, configurationSet: setting('MAIL_CONFIGURATION_SET') }));
  const post = async <T extends object>(to: string, write: Written<T>, fields: T) => {
    const found = await findStopLink(to);
    const stopsDeletion = found && {
      url: `${names.baseUrl}/account/keep/${found.link}`,
      until: found.until,
    };
    await mail()(to, write({ ...names, stopsDeletion, ...fields }));
  };
  return {
    async notify(to, write, fields) {
      if (from !== '') await post(to, write, fields);
    },
    async send(to, purpose, write, fields) {
      if (from !== '') return post(to, write, fields);
      throw new CodedError('UNAVAILABLE', {
        error: `This service has no mail sender, ${purpose}.`,
        nextStep: 'The operator sets `mailFrom` and deploys again.',
      });
    },
  };
}

const accounts = lazy(() => accountRepository(documentClient(), setting('ACCOUNTS_TABLE')));
const nobody = AccountId.parse('00000000-0000-4000-8000-000000000000');

/** Always two reads, so that the time of a request for a code does not tell whether an address has an account. */
async function findStopLink(email: string) {
  const account = (await accounts().findByEmail(email)) ?? (await accounts().get(nobody));
  return account && stopLinkOf(account, new Date());
}
