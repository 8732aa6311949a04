import * as z from 'zod';
import { EmailAddress } from '../../contract/fields.ts';
import { readLongCode } from '../../core/accounts/sign-in/code-secrets.ts';

/** The input from a form of the sign-in pages. */
export type SignInForm =
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
