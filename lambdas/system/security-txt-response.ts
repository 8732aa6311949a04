import { securityTxt } from '../../contract/security-txt.ts';
import { CodedError } from '../../core/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { setting } from '../shared/settings.ts';
import { fileResponse } from '../http/api-response.ts';

/**
 * Where to report a vulnerability (RFC 9116). An installation without a contact has no such document.
 * @throws CodedError NOT_FOUND
 */
export function securityTxtResponse({ caller }: Pick<ApiRequest, 'caller'>) {
  const contact = setting('SECURITY_CONTACT');
  if (contact === '') throw new CodedError('NOT_FOUND', { error: 'This document does not exist.' });
  const policy = setting('SECURITY_POLICY') || undefined;
  const content = securityTxt({ baseUrl: setting('BASE_URL'), contact, policy }, new Date());
  const headers = { 'cache-control': 'public, max-age=3600' };
  return fileResponse(200, { mediaType: 'text/plain', content, headers }, caller.requestId);
}
