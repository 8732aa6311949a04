import { normaliseEmail } from '../../core/accounts/email.ts';
import type { Proof } from '../../core/accounts/sign-in/prove-address.ts';
import { requestCode } from '../../core/accounts/sign-in/request-code.ts';
import { isLongCodeCurrent, resendWaitSeconds } from '../../core/accounts/sign-in/sign-in-code.ts';
import { needsLongCode } from '../../core/accounts/sign-in/wrong-code-limits.ts';
import { CodedError } from '../../core/errors.ts';
import type { CodeAsked } from '../../web/pages/parts/sign-in-forms.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { attemptCookie } from './attempt-cookie.ts';
import { formFields } from '../http/plain-form.ts';
import { readSignInForm, type SignInForm } from './sign-in-form.ts';
import type { signInServices } from './sign-in-services.ts';

type Services = ReturnType<typeof signInServices>;

/** What follows a form of the sign-in pages: the form again, the form for the code, or what the code was for. */
export type SignInStep<T> =
  | { kind: 'address'; status: number; email: string; error: string }
  | CodeStep
  | { kind: 'done'; value: T };

/** The form for the code; `cookies` keep who requested it. */
interface CodeStep {
  kind: 'code';
  status: number;
  asked: CodeAsked;
  cookies: readonly string[];
}

/** What is said on the form for the code. */
type CodeNote = Pick<CodeAsked, 'error' | 'notice' | 'needsLongCode'>;

/**
 * Takes a posted form: mails a code, or hands the code that came to `use`. A code that is refused
 * brings its form back.
 * @throws CodedError those of requestCode, and those of `use` that are not about the code
 */
export async function signInStep<T>(
  services: Services,
  request: ApiRequest,
  use: (proof: Proof) => Promise<T>,
): Promise<SignInStep<T>> {
  const form = readSignInForm(formFields(request));
  const { email } = form;
  switch (form.step) {
    case 'invalid':
      return form.problem === 'address'
        ? { kind: 'address', status: 400, email, error: 'This is not an e-mail address.' }
        : codeStep(services, email, 400, { error: 'The code is six digits.' });
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

/** Where no more mails are sent, the long code of the latest one still works. */
async function mailStep(
  services: Services,
  request: ApiRequest,
  form: { email: string; resend: boolean },
): Promise<CodeStep> {
  try {
    const { data } = await requestCode(services, request.caller, form);
    const notice = data.resent ? { notice: 'The code was sent again.' } : {};
    const step = await codeStep(services, form.email, 200, notice);
    const { attemptToken } = data;
    const cookies = attemptToken === undefined ? [] : [attemptCookie.keep(attemptToken)];
    return { ...step, cookies };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'RATE_LIMITED') throw error;
    const step = await codeStep(services, form.email, error.status, {
      error: `${error.message} Enter the long code from the latest e-mail.`,
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
    asked: { email, resendAvailableInSeconds, ...note },
    cookies: [],
    isLongCodeCurrent: code !== undefined && isLongCodeCurrent(code, now()),
  };
}

function proofIn(
  { headers }: ApiRequest,
  form: Extract<SignInForm, { step: 'code' | 'long-code' }>,
): Proof {
  const { email } = form;
  if (form.step === 'long-code') return { email, attemptToken: form.longCode };
  return { email, code: form.code, attemptToken: attemptCookie.read(headers['cookie']) };
}

function wrongCode(error: CodedError, step: 'code' | 'long-code'): CodeNote {
  const { attemptsLeft } = error.body;
  if (error.code === 'OTP_INVALID') {
    return step === 'long-code'
      ? { error: 'This is not the long code of the latest e-mail.', needsLongCode: true }
      : { error: `This is not the code. Tries left: ${String(attemptsLeft)}.` };
  }
  if (needsLongCode(error)) {
    return {
      error: `${error.message} Enter the long code from the same e-mail, or have the code sent again.`,
      needsLongCode: true,
    };
  }
  return { error: 'This code does not work any more. Have a new one sent.' };
}
