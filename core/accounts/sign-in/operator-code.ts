import { normaliseEmail } from '../account.ts';
import { issueCode, type RequestCodeDeps } from './request-code.ts';

/** The outcome of an operator's request for a code. `wait`: a mail with a code was sent a moment ago. */
export type OperatorCode =
  | { kind: 'code'; digits: string; longCode: string; expiresAt: string }
  | { kind: 'wait'; seconds: number }
  | { kind: 'no-sign-up' };

/**
 * Makes a sign-in code that the operator hands over instead of a mail: for the first owner of an
 * installation that cannot send mail yet.
 *
 * The code works like a mailed one: same lifetime, same number of tries. The limits of mails do not
 * apply, because strangers can use those up for any address.
 */
export async function makeOperatorCode(
  deps: Omit<RequestCodeDeps, 'mailer' | 'mailsPerHour'>,
  email: string,
): Promise<OperatorCode> {
  let made: { digits: string; longCode: string } | undefined;
  let isRefused = false;
  const mailer = {
    sendCode: async (_: string, code: { digits: string; longCode: string }) => void (made = code),
    sendNoSignUp: async () => void (isRefused = true),
  };
  const caller = { address: operatorAddress, requestId: 'operator' };
  const input = { email: normaliseEmail(email), resend: true, limits: [] };
  const { data } = await issueCode({ ...deps, mailer }, caller, input);
  if (isRefused) return { kind: 'no-sign-up' };
  if (made === undefined) return { kind: 'wait', seconds: data.resendAvailableInSeconds };
  return { kind: 'code', ...made, expiresAt: data.expiresAt };
}

/**
 * The operator's address as the requester of a code: no visitor can have it (RFC 6890, "this
 * host").
 */
const operatorAddress = '0.0.0.0';
