import { randomUUID } from 'node:crypto';
import { AccountId, type SignUpPolicy } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Account } from './account.ts';
import { hashKey, idleDays, newApiKey } from './api-key.ts';
import { normaliseEmail } from './email.ts';
import type { AccountStore, CodeStore } from './ports.ts';
import { digitsOf, maxTries, sameDigits } from './sign-in-code.ts';

/** What signing in needs. */
export interface VerifyCodeDeps {
  codes: CodeStore;
  accounts: AccountStore;
  codeSecret: string;
  keyPrefix: string;
  trialDays: number;
  signUpPolicy: SignUpPolicy;
  now(): Date;
}

const daySeconds = 86_400;

/**
 * Turns a code into a key. The try is counted before it is compared, so that five wrong codes are
 * five however many arrive at once; the code is used up before anything is created, so that it
 * works once.
 * @throws CodedError OTP_INVALID, OTP_EXPIRED, OTP_TOO_MANY_ATTEMPTS, INTERNAL
 */
export async function verifyCode(
  deps: VerifyCodeDeps,
  caller: Caller,
  input: { email: string; code: string },
) {
  const now = deps.now();
  const email = normaliseEmail(input.email);
  const nonce = await compare(deps, email, input.code, now);
  if (!(await deps.codes.consume(email, nonce))) throw noOpenCode();
  try {
    const account = await accountFor(deps, email, now);
    const key = newApiKey(deps.keyPrefix);
    const expiresAt = instant(plusSeconds(now, idleDays * daySeconds));
    await deps.accounts.putKey(hashKey(key), {
      accountId: account.id,
      createdAt: instant(now),
      expiresAt,
    });
    return {
      email: account.email,
      apiKey: key,
      expiresAt,
      message: 'Save this key now: it is shown only once. Each use renews it for 90 days.',
    };
  } catch (cause) {
    throw cause instanceof CodedError ? cause : notProvisioned(caller, cause);
  }
}

async function compare(
  deps: VerifyCodeDeps,
  email: string,
  code: string,
  now: Date,
): Promise<string> {
  const attempt = await deps.codes.countTry(email, now);
  if (attempt.kind === 'none') throw noOpenCode();
  if (attempt.kind === 'cancelled') throw cancelled();
  if (sameDigits(code, digitsOf(deps.codeSecret, email, attempt.nonce))) return attempt.nonce;
  const attemptsLeft = maxTries - attempt.tries;
  if (attemptsLeft <= 0) throw cancelled();
  throw new CodedError('OTP_INVALID', {
    error: 'This is not the code that was sent.',
    attemptsLeft,
  });
}

async function accountFor(deps: VerifyCodeDeps, email: string, now: Date): Promise<Account> {
  const existing = await deps.accounts.findByEmail(email);
  if (existing !== undefined) return existing;
  if (deps.signUpPolicy !== 'open') throw noOpenCode();
  return deps.accounts.create({
    id: AccountId.parse(randomUUID()),
    email,
    tier: 'free',
    trialEndsAt: instant(plusSeconds(now, deps.trialDays * daySeconds)),
    projectCount: 0,
    storageBytes: 0,
    createdAt: instant(now),
  });
}

function noOpenCode(): CodedError {
  return new CodedError('OTP_EXPIRED', { error: 'There is no open code for this address.' });
}

function cancelled(): CodedError {
  return new CodedError('OTP_TOO_MANY_ATTEMPTS', {
    error: `${maxTries} wrong codes were sent, so the code was cancelled.`,
    retryAfterSeconds: 1,
  });
}

function notProvisioned({ requestId }: Caller, cause: unknown): CodedError {
  return new CodedError(
    'INTERNAL',
    {
      error: 'The account could not be made ready.',
      requestId,
      nextStep: 'Request a new code and sign in again; doing all of it again is safe.',
    },
    { cause },
  );
}
