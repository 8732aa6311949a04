import { randomUUID } from 'node:crypto';
import { AccountId, type SignUpPolicy } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { CodedError } from '../errors.ts';
import { instant, plusSeconds } from '../instants.ts';
import type { Account } from './account.ts';
import { hashKey, newApiKey, signInKey } from './api-key.ts';
import { normaliseEmail } from './email.ts';
import type { AccountStore, CodeStore, KeyStore } from './ports.ts';
import { digitsOf, maxTries, sameDigits } from './sign-in-code.ts';
import { type SignInNoticeDeps, tellOfSignIn } from './sign-in-notice.ts';

/** What proving an address needs. */
export interface ProveAddressDeps {
  codes: CodeStore;
  accounts: Pick<AccountStore, 'findByEmail' | 'create'>;
  codeSecret: string;
  trialDays: number;
  signUpPolicy: SignUpPolicy;
  now(): Date;
}

/** What signing in needs. */
export interface VerifyCodeDeps extends ProveAddressDeps, SignInNoticeDeps {
  keys: Pick<KeyStore, 'put'>;
  keyPrefix: string;
}

const daySeconds = 86_400;

/** An address and the code that was sent to it. */
export interface Proof {
  email: string;
  code: string;
}

/**
 * The account of whoever proves an address, made now if there is none.
 *
 * The try is counted before it is compared, so that five wrong codes are five however many arrive
 * at once; the code is used up before anything is created, so that it works once.
 * @throws CodedError OTP_INVALID, OTP_EXPIRED, OTP_TOO_MANY_ATTEMPTS, INTERNAL
 */
export async function proveAddress(deps: ProveAddressDeps, caller: Caller, proof: Proof) {
  const now = deps.now();
  const email = normaliseEmail(proof.email);
  const nonce = await compare(deps, email, proof.code, now);
  if (!(await deps.codes.consume(email, nonce))) throw noOpenCode();
  return provision(caller, () => accountFor(deps, email, now));
}

/**
 * Turns a code into a key, shown once. The owner of an account that was there before is mailed: a
 * program has no cookie by which it would be known.
 * @throws CodedError those of proveAddress
 */
export async function verifyCode(deps: VerifyCodeDeps, caller: Caller, proof: Proof) {
  const beganAt = deps.now();
  const account = await proveAddress(deps, caller, proof);
  const apiKey = newApiKey(deps.keyPrefix);
  const stored = signInKey(account.id, apiKey, deps.now());
  await provision(caller, () => deps.keys.put(hashKey(apiKey), stored));
  await tellOfSignIn(deps, account, { gave: 'key', caller, beganAt });
  return {
    email: account.email,
    apiKey,
    expiresAt: stored.expiresAt,
    message: 'Save this key now: it is shown only once. Each use renews it for 90 days.',
  };
}

/** Runs a step of making an account ready; when it fails, all of it can be done again. */
export async function provision<T>(caller: Caller, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw cause instanceof CodedError ? cause : notProvisioned(caller, cause);
  }
}

async function compare(
  deps: Pick<ProveAddressDeps, 'codes' | 'codeSecret'>,
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

async function accountFor(deps: ProveAddressDeps, email: string, now: Date): Promise<Account> {
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
