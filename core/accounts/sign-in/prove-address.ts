import { randomUUID } from 'node:crypto';
import { AccountId, type SignUpPolicy } from '../../../contract/fields.ts';
import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { callerKey } from '../../limits/caller-key.ts';
import type { Counters } from '../../limits/counters.ts';
import type { Account } from '../account.ts';
import { attemptTokenOf, digitsOf, longCodeOf, readLongCode, sameText } from './code-secrets.ts';
import { normaliseEmail } from '../email.ts';
import { type Guesser, guessCode, triesLeft, useCode } from './guess-code.ts';
import type { AccountStore, CodeStore } from '../ports.ts';
import {
  isCurrent,
  isLongCodeCurrent,
  type MailedCode,
  maxWrongByRequester,
} from './sign-in-code.ts';
import { requireActive } from '../suspension.ts';
import {
  codeCancelled,
  forgiveWrongCodes,
  limitFull,
  othersUsedUp,
  reserveGuess,
  useLongCode,
} from './wrong-code-limits.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** What proving an address needs. */
export interface ProveAddressDeps {
  codes: CodeStore;
  accounts: Pick<AccountStore, 'findByEmail' | 'create'>;
  counters: Pick<Counters, 'take' | 'giveBack'>;
  codeSecret: RotatingSecret;
  trialDays: number;
  signUpPolicy: SignUpPolicy;
  now(): Date;
}

/** An address and what was mailed to it. */
export interface Proof {
  email: string;
  /** The six digits; left out by a page that was given the long code. */
  code?: string | undefined;
  /** Of the answer to the request for the code; or the long code of its mail. */
  attemptToken?: string | undefined;
}

const daySeconds = 86_400;

/**
 * The account of whoever proves an address, made now if there is none.
 *
 * The code is used up before anything is created, so that it works once.
 * @throws CodedError OTP_INVALID, OTP_EXPIRED, OTP_TOO_MANY_ATTEMPTS, INTERNAL; ACCOUNT_SUSPENDED once the code was right
 */
export async function proveAddress(deps: ProveAddressDeps, caller: Caller, proof: Proof) {
  const now = deps.now();
  const email = normaliseEmail(proof.email);
  const { code } = await deps.codes.read(email);
  if (code === undefined) throw noOpenCode();
  await (isLongCodeOf(deps, email, code, proof) && isLongCodeCurrent(code, now)
    ? useMailedCode(deps, email, code, proof)
    : guess(deps, caller, { email, code, proof }, now));
  return provision(caller, () => accountFor(deps, email, now));
}

/** Runs a step of making an account ready; when it fails, all of it can be done again. */
export async function provision<T>(caller: Caller, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw cause instanceof CodedError ? cause : notProvisioned(caller, cause);
  }
}

/** Whoever has the long code has read the mail: nothing is guessed, so nothing is counted. */
async function useMailedCode(
  { codes, codeSecret }: ProveAddressDeps,
  email: string,
  { nonce }: MailedCode,
  proof: Proof,
): Promise<void> {
  const digits = digitsOf(codeSecret, { email, nonce });
  if (proof.code !== undefined && !sameText(proof.code, digits)) throw wrong(maxWrongByRequester);
  const isFirst = await codes.change(email, (record) => useCode(record, nonce));
  if (!isFirst) throw noOpenCode();
}

/** Takes a place in every limit first, compares then, and gives the places back unless it was wrong. */
async function guess(
  deps: ProveAddressDeps,
  caller: Caller,
  { email, code, proof }: { email: string; code: MailedCode; proof: Proof },
  now: Date,
): Promise<void> {
  if (!isCurrent(code, now)) throw noOpenCode();
  const guesser = guesserOf(deps, caller, { email, code, proof });
  if (proof.code === undefined) throw wrong(triesLeft(code, guesser));
  if (triesLeft(code, guesser) === 0) throw usedUp(code, guesser, now);
  const origin = { address: caller.address, email, guesser };
  const reservation = await reserveGuess(deps.counters, origin, now);
  if (!reservation.reserved) throw limitFull(reservation.name, reservation.retryAfterSeconds);
  const { nonce } = code;
  const isRight = sameText(proof.code, digitsOf(deps.codeSecret, { email, nonce }));
  const result = await deps.codes.change(email, (record) =>
    guessCode(record, { nonce, guesser, isRight }, now),
  );
  if (result.kind !== 'wrong') await reservation.release();
  switch (result.kind) {
    case 'none':
      throw noOpenCode();
    case 'used-up':
      throw usedUp(code, guesser, now);
    case 'wrong':
      if (result.triesLeft === 0) throw usedUp(code, guesser, now);
      throw wrong(Math.min(result.triesLeft, ...reservation.limits.map((one) => one.remaining)));
    case 'right':
      await forgiveWrongCodes(deps.counters, origin, result.earlierWrongAt);
  }
}

/** Who requested the code is known by the token that they got, or by the network that they come from. */
function guesserOf(
  { codeSecret }: ProveAddressDeps,
  { address }: Caller,
  { email, code, proof }: { email: string; code: MailedCode; proof: Proof },
): Guesser {
  const { nonce, requesters } = code;
  const { attemptToken = '' } = proof;
  const own = callerKey(address);
  const requester = requesters.find(
    ({ network }) =>
      sameText(attemptToken, attemptTokenOf(codeSecret, { email, nonce }, network)) ||
      (network === own && own !== 'unknown'),
  );
  if (requester === undefined) return { kind: 'others' };
  return { kind: 'requester', network: requester.network };
}

function isLongCodeOf(
  { codeSecret }: ProveAddressDeps,
  email: string,
  { nonce }: MailedCode,
  { attemptToken = '' }: Proof,
): boolean {
  const longCode = readLongCode(attemptToken);
  return longCode !== undefined && sameText(longCode, longCodeOf(codeSecret, { email, nonce }));
}

async function accountFor(deps: ProveAddressDeps, email: string, now: Date): Promise<Account> {
  const existing = await deps.accounts.findByEmail(email);
  if (existing !== undefined) {
    requireActive(existing);
    return existing;
  }
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

function usedUp(code: MailedCode, guesser: Guesser, now: Date): CodedError {
  if (guesser.kind === 'requester') return codeCancelled();
  return othersUsedUp(Math.ceil((Date.parse(code.expiresAt) - now.getTime()) / 1000));
}

function wrong(attemptsLeft: number): CodedError {
  return new CodedError('OTP_INVALID', {
    error: 'This is not the code that was sent.',
    attemptsLeft,
    ...(attemptsLeft === 0 && { nextStep: useLongCode }),
  });
}

function noOpenCode(): CodedError {
  return new CodedError('OTP_EXPIRED', { error: 'There is no open code for this address.' });
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
