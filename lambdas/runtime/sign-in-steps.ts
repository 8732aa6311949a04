import { normaliseEmail } from '../../core/accounts/email.ts';
import { requestCode } from '../../core/accounts/request-code.ts';
import { resendWaitSeconds } from '../../core/accounts/sign-in-code.ts';
import type { Proof } from '../../core/accounts/verify-code.ts';
import { CodedError } from '../../core/errors.ts';
import type { CodeAsked } from '../../web/pages/sign-in-forms.ts';
import type { ApiRequest } from './api-request.ts';
import { formFields } from './plain-form.ts';
import { readSignInForm } from './sign-in-form.ts';
import type { signInServices } from './sign-in-services.ts';

/** What follows a form of the sign-in pages: the form again, the form for the code, or what the code was for. */
export type SignInStep<T> =
  | { kind: 'address'; status: number; email: string; error: string }
  | { kind: 'code'; status: number; asked: CodeAsked }
  | { kind: 'done'; value: T };

/**
 * Takes a posted form: mails a code, or hands the code that came to `use`. A code that is refused
 * brings its form back.
 * @throws CodedError those of requestCode, and those of `use` that are not about the code
 */
export async function signInStep<T>(
  services: ReturnType<typeof signInServices>,
  request: ApiRequest,
  use: (proof: Proof) => Promise<T>,
): Promise<SignInStep<T>> {
  const form = readSignInForm(formFields(request));
  const { email } = form;
  const askCode = (status: number, more: { error?: string; notice?: string }) =>
    codeStep(services, email, status, more);
  switch (form.step) {
    case 'invalid':
      return form.problem === 'address'
        ? { kind: 'address', status: 400, email, error: 'This is not an e-mail address.' }
        : askCode(400, { error: 'The code is six digits.' });
    case 'address': {
      const { data } = await requestCode(services, request.caller, form);
      return askCode(200, data.resent ? { notice: 'The code was sent again.' } : {});
    }
    case 'code':
      try {
        return { kind: 'done', value: await use(form) };
      } catch (error) {
        if (!(error instanceof CodedError) || !error.code.startsWith('OTP_')) throw error;
        return askCode(error.status, { error: wrongCode(error) });
      }
  }
}

async function codeStep(
  { codes, now }: Pick<ReturnType<typeof signInServices>, 'codes' | 'now'>,
  email: string,
  status: number,
  more: { error?: string; notice?: string },
): Promise<{ kind: 'code'; status: number; asked: CodeAsked }> {
  const open = await codes.get(normaliseEmail(email));
  const resendAvailableInSeconds = open === undefined ? 0 : resendWaitSeconds(open, now());
  return { kind: 'code', status, asked: { email, resendAvailableInSeconds, ...more } };
}

function wrongCode(error: CodedError): string {
  const { attemptsLeft } = error.body;
  if (error.code === 'OTP_INVALID') {
    return `This is not the code. Tries left: ${String(attemptsLeft)}.`;
  }
  return 'This code does not work any more. Have a new one sent.';
}
