import { sendMail } from '../../adapters/ses/mail.ts';
import { oauthPaths } from '../../contract/oauth/oauth.ts';
import type { SignInNotifier } from '../../core/accounts/sign-in/sign-in-notice.ts';
import { signInNoticeMail } from '../../web/mail/sign-in-notice-mail.ts';
import { once } from '../shared/once.ts';
import { setting } from '../shared/settings.ts';

/** Tells owners of sign-ins by mail; nobody where no sender is set. */
export function signInNotifier(): SignInNotifier {
  const baseUrl = setting('BASE_URL');
  const names = {
    brand: setting('BRAND'),
    baseUrl,
    sessionsUrl: `${baseUrl}${oauthPaths.connections}`,
  };
  const from = setting('MAIL_FROM');
  const send = once(() => sendMail(from));
  return {
    async tell(email, notice) {
      if (from !== '') await send()(email, signInNoticeMail({ ...names, ...notice }));
    },
  };
}
