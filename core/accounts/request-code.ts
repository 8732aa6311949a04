import type { SignUpPolicy } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { callerKey } from '../limits/caller-key.ts';
import type { Counters } from '../limits/counters.ts';
import { noteLimits } from '../limits/limit-state.ts';
import type { Rule } from '../limits/sliding-window.ts';
import { normaliseEmail } from './email.ts';
import type { AccountStore, CodeMailer, CodeStore } from './ports.ts';
import { digitsOf, isOpen, newCode, type OpenCode, resendWaitSeconds } from './sign-in-code.ts';

/** What sending codes needs. */
export interface RequestCodeDeps {
  codes: CodeStore;
  accounts: Pick<AccountStore, 'findByEmail'>;
  counters: Counters;
  mailer: CodeMailer;
  codeSecret: string;
  signUpPolicy: SignUpPolicy;
  now(): Date;
}

/** Specification, "Limits"; the completions settle three for an address, counted from the first. */
const perCaller: Rule[] = [{ limit: 10, windowSeconds: 3600, from: 'first' }];
const perAddress: Rule[] = [{ limit: 3, windowSeconds: 3600, from: 'first' }];

/**
 * E-mails a code, the same one again, or nothing while one is open.
 *
 * The code is opened before the mail is sent, so that of many requests at once one sends. Nothing
 * in the answer or its timing depends on whether the address has an account.
 * @throws CodedError RATE_LIMITED
 */
export async function requestCode(
  deps: RequestCodeDeps,
  caller: Caller,
  input: { email: string; resend: boolean },
) {
  const now = deps.now();
  const email = normaliseEmail(input.email);
  const open = await deps.codes.get(email);
  if (open !== undefined && isOpen(open, now)) {
    return input.resend ? resendCode(deps, caller, { email, open }, now) : alreadySent(open, now);
  }
  const fresh = newCode(now);
  if (!(await deps.codes.open(email, fresh, now))) return alreadySent(fresh, now);
  try {
    await sendWithinLimits(deps, caller, { email, code: fresh }, now);
  } catch (error) {
    await deps.codes.consume(email, fresh.nonce);
    throw error;
  }
  return answer(fresh, now, { sent: true });
}

async function resendCode(
  deps: RequestCodeDeps,
  caller: Caller,
  { email, open }: { email: string; open: OpenCode },
  now: Date,
) {
  if (!(await deps.codes.noteResend(email, open, now))) return alreadySent(open, now);
  await sendWithinLimits(deps, caller, { email, code: open }, now).catch((error: unknown) => {
    throw error instanceof CodedError ? sentBefore(error) : error;
  });
  return answer({ ...open, sentAt: now.toISOString() }, now, { sent: true, resent: true });
}

async function sendWithinLimits(
  deps: RequestCodeDeps,
  caller: Caller,
  { email, code }: { email: string; code: OpenCode },
  now: Date,
): Promise<void> {
  const places = [
    { key: `codes-from#${callerKey(caller.address)}`, rules: perCaller },
    { key: `codes-to#${email}`, rules: perAddress },
  ];
  const taken: string[] = [];
  const giveBack = () => Promise.all(taken.map((key) => deps.counters.giveBack(key, now)));
  for (const { key, rules } of places) {
    const outcome = await deps.counters.take(key, rules, now);
    noteLimits(caller, outcome.limits);
    if (!outcome.taken) {
      await giveBack();
      throw tooMany(outcome.retryAfterSeconds);
    }
    taken.push(key);
  }
  try {
    await send(deps, email, code);
  } catch (error) {
    await giveBack();
    throw error;
  }
}

async function send(deps: RequestCodeDeps, email: string, { nonce }: OpenCode): Promise<void> {
  const digits = digitsOf(deps.codeSecret, email, nonce);
  const welcome =
    deps.signUpPolicy === 'open' || (await deps.accounts.findByEmail(email)) !== undefined;
  await (welcome ? deps.mailer.sendCode(email, digits) : deps.mailer.sendNoSignUp(email));
}

function alreadySent(code: OpenCode, now: Date) {
  return answer(code, now, { codeAlreadySent: true });
}

function answer(
  code: OpenCode,
  now: Date,
  outcome: { sent?: true; resent?: true; codeAlreadySent?: true },
) {
  const { sent = false, resent = false, codeAlreadySent = false } = outcome;
  return {
    status: 'success' as const,
    message: sent
      ? 'A six-digit code is on its way to this address.'
      : 'A code was already sent to this address and is still valid.',
    nextStep: 'Ask for the six digits from the e-mail, then call POST /v1/auth/otp/verify.',
    data: {
      sent,
      resent,
      codeAlreadySent,
      expiresAt: code.expiresAt,
      resendAvailableInSeconds: resendWaitSeconds(code, now),
    },
  };
}

function tooMany(retryAfterSeconds: number): CodedError {
  return new CodedError('RATE_LIMITED', {
    error: 'Too many sign-in e-mails were requested.',
    retryAfterSeconds,
  });
}

/** The limit was met while a code is open: that one still works. */
function sentBefore(error: CodedError): CodedError {
  const { retryAfterSeconds } = error.body;
  return new CodedError('RATE_LIMITED', {
    error: error.message,
    retryAfterSeconds: Number(retryAfterSeconds),
    nextStep: 'Verify the code that was already sent with POST /v1/auth/otp/verify.',
  });
}
