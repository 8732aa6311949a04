import { sendMail } from '../../adapters/ses/mail.ts';
import type { CodeMailer } from '../../core/accounts/ports.ts';
import { codeLifeSeconds, longCodeLifeSeconds } from '../../core/accounts/sign-in/sign-in-code.ts';
import { CodedError } from '../../core/errors.ts';
import { noSignUpMail, signInMail } from '../../web/mail/sign-in-mail.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';

/** Sends sign-in mails in this deployment's name; says so plainly where no sender is set. */
export function codeMailer(): CodeMailer {
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const send = once(() => {
    const from = setting('MAIL_FROM');
    if (from === '') {
      throw new CodedError('UNAVAILABLE', {
        error: 'This service has no mail sender, so nobody can sign in.',
        nextStep: 'Whoever runs it sets `mailFrom` and deploys again.',
      });
    }
    return sendMail(from);
  });
  return {
    sendCode: (email, code) =>
      send()(
        email,
        signInMail({
          ...names,
          ...code,
          minutes: codeLifeSeconds / 60,
          longCodeMinutes: longCodeLifeSeconds / 60,
        }),
      ),
    sendNoSignUp: (email) => send()(email, noSignUpMail(names)),
  };
}
