import * as z from 'zod';
import { normaliseEmail } from '../../core/accounts/account.ts';
import type { AddressProof } from '../../core/accounts/sign-in/prove-address.ts';
import { requestSignInCode } from '../../core/accounts/sign-in/request-code.ts';
import { isLongCodeCurrent, resendWaitSeconds } from '../../core/accounts/sign-in/sign-in-code.ts';
import { needsLongCode } from '../../core/accounts/sign-in/wrong-code-limits.ts';
import { CodedError } from '../../core/errors.ts';
import type { CodeFormInput } from '../../web/pages/parts/sign-in-forms.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { attemptCookie } from '../http/session-cookie.ts';
import { formFields } from '../http/request-body.ts';
import type { signInServices } from './sign-in-services.ts';
import { EmailAddress } from '../../contract/fields.ts';
import { readLongCode } from '../../core/accounts/sign-in/code-secrets.ts';

type Services = ReturnType<typeof signInServices>;

/**
 * The step after a form of the sign-in pages: the same form again, the form for the code, or the
 * result of a correct code.
 */
export type SignInStep<T> =
  | { kind: 'address'; status: number; email: string; error: string }
  | CodeStep
  | { kind: 'done'; value: T };

/** The form for the code; `cookies` identify its requester. */
interface CodeStep {
  kind: 'code';
  status: number;
  form: CodeFormInput;
  cookies: readonly string[];
}

type CodeNote = Pick<CodeFormInput, 'error' | 'notice' | 'needsLongCode'>;

/**
 * Processes a posted form: mails a code, or passes the received code to `use`. A refused code shows
 * its form again.
 * @throws CodedError the errors of requestSignInCode, and those errors of `use` that do not concern the
 * code
 */
export async function signInStep<T>(
  services: Services,
  request: ApiRequest,
  use: (proof: AddressProof) => Promise<T>,
): Promise<SignInStep<T>> {
  const form = readSignInForm(formFields(request));
  const { email } = form;
  switch (form.step) {
    case 'invalid':
      return form.problem === 'address'
        ? { kind: 'address', status: 400, email, error: 'Enter a valid e-mail address.' }
        : codeStep(services, email, 400, { error: 'Enter the six digits of the code.' });
    case 'address':
      return mailStep(services, request, form);
    case 'code':
    case 'long-code':
      try {
        return { kind: 'done', value: await use(proofIn(request, form)) };
      } catch (error) {
        if (!(error instanceof CodedError) || !error.code.startsWith('OTP_')) throw error;
        return codeStep(services, email, error.status, wrongCode(error, form.step));
      }
  }
}

/**
 * An address that gets no mail shows its form again. When the mail limit is reached, the long code of
 * the latest mail still works.
 */
async function mailStep(
  services: Services,
  request: ApiRequest,
  form: { email: string; resend: boolean },
): Promise<Exclude<SignInStep<never>, { kind: 'done' }>> {
  try {
    const { data } = await requestSignInCode(services, request.caller, form);
    const notice = data.resent ? { notice: 'The code was sent again.' } : {};
    const step = await codeStep(services, form.email, 200, notice);
    const { attemptToken } = data;
    const cookies = attemptToken === undefined ? [] : [attemptCookie.keep(attemptToken)];
    return { ...step, cookies };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { status, message } = error;
    if (error.code === 'INVALID_REQUEST') {
      return { kind: 'address', status, email: form.email, error: message };
    }
    if (error.code !== 'RATE_LIMITED') throw error;
    const step = await codeStep(services, form.email, status, {
      error: `${message} Enter the long code from the latest e-mail.`,
      needsLongCode: true,
    });
    if (!step.isLongCodeCurrent) throw error;
    return step;
  }
}

async function codeStep(
  { codes, now }: Pick<Services, 'codes' | 'now'>,
  email: string,
  status: number,
  note: CodeNote,
): Promise<CodeStep & { isLongCodeCurrent: boolean }> {
  const { code } = await codes.read(normaliseEmail(email));
  const resendAvailableInSeconds = code === undefined ? 0 : resendWaitSeconds(code, now());
  return {
    kind: 'code',
    status,
    form: { email, resendAvailableInSeconds, ...note },
    cookies: [],
    isLongCodeCurrent: code !== undefined && isLongCodeCurrent(code, now()),
  };
}

function proofIn(
  { headers }: ApiRequest,
  form: Extract<SignInForm, { step: 'code' | 'long-code' }>,
): AddressProof {
  const { email } = form;
  if (form.step === 'long-code') return { email, attemptToken: form.longCode };
  return { email, code: form.code, attemptToken: attemptCookie.read(headers['cookie']) };
}

function wrongCode(error: CodedError, step: 'code' | 'long-code'): CodeNote {
  const { attemptsLeft } = error.body;
  if (error.code === 'OTP_INVALID') {
    return step === 'long-code'
      ? { error: 'This is not the long code from the latest e-mail.', needsLongCode: true }
      : { error: `This code is wrong. Attempts left: ${String(attemptsLeft)}.` };
  }
  if (needsLongCode(error)) {
    return {
      error: `${error.message} Enter the long code from the same e-mail, or have the code sent again.`,
      needsLongCode: true,
    };
  }
  return { error: 'This code no longer works. Request a new one.' };
}

type SignInForm =
  | { step: 'address'; email: string; resend: boolean }
  | { step: 'code'; email: string; code: string }
  | { step: 'long-code'; email: string; longCode: string }
  | { step: 'invalid'; email: string; problem: 'address' | 'code' };

const Code = z.string().regex(/^[0-9]{6}$/);

/** Reads a posted form. Removes spaces from a code, because mail programs and people add them. */
export function readSignInForm(fields: URLSearchParams): SignInForm {
  const written = (fields.get('email') ?? '').slice(0, 300);
  const email = EmailAddress.safeParse(written).data;
  if (email === undefined) return { step: 'invalid', email: written, problem: 'address' };
  const resend = fields.get('resend') === '1';
  if (resend || !fields.has('code')) return { step: 'address', email, resend };
  const text = (fields.get('code') ?? '').slice(0, 100);
  const longCode = readLongCode(text);
  if (longCode !== undefined) return { step: 'long-code', email, longCode };
  const code = Code.safeParse(text.replace(/\s/g, '')).data;
  return code === undefined
    ? { step: 'invalid', email, problem: 'code' }
    : { step: 'code', email, code };
}
