import type { CodeMailer } from '../../core/accounts/ports.ts';
import { codeLifeSeconds, longCodeLifeSeconds } from '../../core/accounts/sign-in/sign-in-code.ts';
import { noSignUpMail, signInMail } from '../../web/mail/sign-in-mail.ts';
import type { SignInNotifier } from '../../core/accounts/sign-in/sign-in-notice.ts';
import { signInNoticeMail } from '../../web/mail/sign-in-notice-mail.ts';
import { accountMail } from '../shared/account-mail.ts';

const lives = { minutes: codeLifeSeconds / 60, longCodeMinutes: longCodeLifeSeconds / 60 };
const purpose = 'so nobody can sign in';

/**
 * Sends sign-in mails for this service; throws an error with the next step if no sender is
 * configured.
 */
export function codeMailer(): CodeMailer {
  const { send } = accountMail();
  return {
    sendCode: (email, code) => send(email, purpose, signInMail, { ...code, ...lives }),
    sendNoSignUp: (email) => send(email, purpose, noSignUpMail, {}),
  };
}

/** Mails owners about sign-ins; does nothing if no sender is configured. */
export function signInNotifier(): SignInNotifier {
  const { notify } = accountMail();
  return {
    notify: (email, notice) => notify(email, signInNoticeMail, notice),
  };
}
