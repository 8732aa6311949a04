import { CodedError } from '../errors.ts';
import { linkOfSuspended } from './open-link.ts';

const noRoom = 'The account behind this link has no room for this upload.';
const askOwner = 'Tell whoever gave you this link; it works again when there is room.';
const sendLess = 'Send less, or begin with POST /v1/upload-links/{link}/uploads.';

/** The same refusal for somebody who has the link and not the account: its figures are not theirs. */
export function forGuest(error: CodedError): CodedError {
  const { code } = error;
  if (code === 'ACCOUNT_SUSPENDED') return linkOfSuspended();
  if (code === 'PROJECT_LIMIT_REACHED' || code === 'STORAGE_LIMIT_REACHED') {
    const nextStep = `${askOwner} Nothing was kept.`;
    return new CodedError(code, { error: noRoom, nextStep });
  }
  if (code === 'PAYLOAD_TOO_LARGE' || code === 'TOO_MANY_FILES') {
    const nextStep = `${sendLess} Nothing was kept.`;
    return new CodedError(code, { error: error.message, nextStep });
  }
  return error;
}
