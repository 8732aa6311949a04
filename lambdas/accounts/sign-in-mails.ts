import { sendMail } from '../../adapters/ses/mail.ts';
import type { CodeMailer } from '../../core/accounts/ports.ts';
import { codeLifeSeconds, longCodeLifeSeconds } from '../../core/accounts/sign-in/sign-in-code.ts';
import { CodedError } from '../../core/errors.ts';
import { noSignUpMail, signInMail } from '../../web/mail/sign-in-mail.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';
import { oauthPaths } from '../../contract/oauth/oauth.ts';
import type { SignInNotifier } from '../../core/accounts/sign-in/sign-in-notice.ts';
import { signInNoticeMail } from '../../web/mail/sign-in-notice-mail.ts';

/**
 * Sends sign-in mails for this service; throws an error with the next step if no sender is
 * configured.
 */
export function codeMailer(): CodeMailer {
  const names = { brand: setting('BRAND'), baseUrl: setting('BASE_URL') };
  const send = lazy(() => {
    const from = setting('MAIL_FROM');
    if (from === '') {
      throw new CodedError('UNAVAILABLE', {
        error: 'This service has no mail sender, so nobody can sign in.',
        nextStep: 'The operator sets `mailFrom` and deploys again.',
      });
    }
    return sendMail({ from, configurationSet: setting('MAIL_CONFIGURATION_SET') });
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

/** Mails owners about sign-ins; does nothing if no sender is configured. */
export function signInNotifier(): SignInNotifier {
  const baseUrl = setting('BASE_URL');
  const names = {
    brand: setting('BRAND'),
    baseUrl,
    sessionsUrl: `${baseUrl}${oauthPaths.connections}`,
  };
  const from = setting('MAIL_FROM');
  const send = lazy(() => sendMail({ from, configurationSet: setting('MAIL_CONFIGURATION_SET') }));
  return {
    async notify(email, notice) {
      if (from !== '') await send()(email, signInNoticeMail({ ...names, ...notice }));
    },
  };
}
