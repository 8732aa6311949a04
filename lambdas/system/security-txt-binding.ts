import { securityTxt, securityTxtPath } from '../../contract/security-txt.ts';
import { CodedError } from '../../core/errors.ts';
import type { Binding } from '../http/bind.ts';
import { crossOrigin } from '../http/cross-origin.ts';
import { setting } from '../shared/settings.ts';

/** Whom to tell of a weakness; a deployment that names nobody has no such document. */
export const securityTxtBinding: Binding = crossOrigin({
  method: 'GET',
  route: securityTxtPath,
  async serve({ caller }) {
    const contact = setting('SECURITY_CONTACT');
    if (contact === '') throw new CodedError('NOT_FOUND', { error: 'There is no such document.' });
    const policy = setting('SECURITY_POLICY') || undefined;
    const body = securityTxt({ baseUrl: setting('BASE_URL'), contact, policy }, new Date());
    return {
      statusCode: 200,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
        'x-request-id': caller.requestId,
      },
      body,
    };
  },
});
