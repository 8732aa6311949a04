import { randomUUID } from 'node:crypto';
import { daySeconds } from '../../../contract/limits.ts';
import { AccountId, type Tier } from '../../../contract/fields.ts';
import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { instant, plusSeconds } from '../../instants.ts';
import { callerKey } from '../../limits/caller-key.ts';
import type { Counters } from '../../limits/counters.ts';
import { type Account, normaliseEmail } from '../account.ts';
import {
  isSameText,
  makeAttemptToken,
  makeDigits,
  makeLongCode,
  readLongCode,
} from './code-secrets.ts';
import { reopenAccount, restorableUntil } from '../closing/close-account.ts';
import { guessCode, type Guesser, triesLeft, useCode } from './guess-code.ts';
import type { AccountStore, CodeStore } from '../ports.ts';
import { findInvitation, isOpenTo, type SignUpDeps } from './invitation.ts';
import { isCurrent, isLongCodeCurrent, type MailedCode, maxWrongCodes } from './sign-in-code.ts';
import { requireActive } from '../suspension.ts';
import {
  codeCancelled,
  forgiveWrongCodes,
  longCodeNextStep,
  reserveGuess,
  wrongCodeLimitReached,
} from './wrong-code-limits.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** The dependencies for proving an address. */
export interface ProveAddressDeps extends SignUpDeps {
  codes: CodeStore;
  accounts: Pick<AccountStore, 'get' | 'findByEmail' | 'create' | 'reopen'>;
  counters: Pick<Counters, 'reserve' | 'release'>;
  codeSecret: RotatingSecret;
  defaultPlan: Tier;
  /** Days of the trial of a new account on the free plan. */
  trialDays: number;
  now(): Date;
}

/** An address and the code that was mailed to it. */
export interface AddressProof {
  email: string;
  /** The six digits; absent when a page sends only the long code. */
  code?: string | undefined;
  /** The token from the response to the code request, or the long code from the mail. */
  attemptToken?: string | undefined;
  /** False: an account that its owner deleted stays deleted, and the code works again. */
  restore?: boolean | undefined;
}

/**
 * Finds the account of an address after its code is verified; creates it if there is none.
 *
 * The code is used up before anything is created, so that it works once.
 * @throws CodedError OTP_INVALID, OTP_EXPIRED, OTP_TOO_MANY_ATTEMPTS, INTERNAL; ACCOUNT_SUSPENDED, ACCOUNT_CLOSED after a correct code
 */
export async function proveAddress(deps: ProveAddressDeps, caller: Caller, proof: AddressProof) {
  const now = deps.now();
  const email = normaliseEmail(proof.email);
  const { code } = await deps.codes.read(email);
  if (code === undefined) throw codeExpired();
  await (isLongCode(deps, email, code, proof) && isLongCodeCurrent(code, now)
    ? acceptLongCode(deps, email, code, proof)
    : checkGuess(deps, caller, { email, code, proof }, now));
  return provision(caller, () => findOrCreateAccount(deps, email, now));
}

/** Runs a step that sets up an account. If it fails, the caller can repeat the whole sign-in. */
export async function provision<T>(caller: Caller, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    throw cause instanceof CodedError ? cause : notProvisioned(caller, cause);
  }
}

/** The long code cannot be guessed, so its tries are not counted. */
async function acceptLongCode(
  deps: ProveAddressDeps,
  email: string,
  { nonce }: MailedCode,
  proof: AddressProof,
): Promise<void> {
  const digits = makeDigits(deps.codeSecret, { email, nonce });
  if (proof.code !== undefined && !isSameText(proof.code, digits)) throw wrongCode(maxWrongCodes);
  await refuseClosed(deps, email, proof);
  const isFirst = await deps.codes.change(email, (record) => useCode(record, nonce));
  if (!isFirst) throw codeExpired();
}

/** Counts the guess in every limit before it compares the code; releases the count unless the code was wrong. */
async function checkGuess(
  deps: ProveAddressDeps,
  caller: Caller,
  { email, code, proof }: { email: string; code: MailedCode; proof: AddressProof },
  now: Date,
): Promise<void> {
  if (!isCurrent(code, now)) throw codeExpired();
  const guesser = identifyGuesser(deps, caller, { email, code, proof });
  if (proof.code === undefined) throw wrongCode(triesLeft(code, guesser));
  if (triesLeft(code, guesser) === 0) throw codeCancelled();
  const origin = { address: caller.address, email, guesser };
  const reservation = await reserveGuess(deps.counters, origin, now);
  if (!reservation.reserved) throw wrongCodeLimitReached(guesser, reservation);
  const { nonce } = code;
  const isRight = isSameText(proof.code, makeDigits(deps.codeSecret, { email, nonce }));
  await refuseClosed(deps, email, isRight ? proof : {}).catch(async (refusal: unknown) => {
    await reservation.release();
    throw refusal;
  });
  const result = await deps.codes.change(email, (record) =>
    guessCode(record, { nonce, guesser, isRight }, now),
  );
  if (result.kind !== 'wrong') await reservation.release();
  switch (result.kind) {
    case 'none':
      throw codeExpired();
    case 'used-up':
      throw codeCancelled();
    case 'wrong':
      if (result.triesLeft === 0) throw codeCancelled();
      throw wrongCode(
        Math.min(result.triesLeft, ...reservation.limits.map((one) => one.remaining)),
      );
    case 'right':
      await forgiveWrongCodes(deps.counters, origin, result.earlierWrongAt);
  }
}

/**
 * Refuses an account that its owner deleted and can still restore, before the code is used up, if
 * the proof says not to restore it.
 * @throws CodedError ACCOUNT_CLOSED
 */
async function refuseClosed(
  deps: ProveAddressDeps,
  email: string,
  { restore }: Pick<AddressProof, 'restore'>,
): Promise<void> {
  if (restore !== false) return;
  const closedAt = (await deps.accounts.findByEmail(email))?.closedAt;
  const until = closedAt && restorableUntil(closedAt);
  if (until === undefined || until <= instant(deps.now())) return;
  throw new CodedError('ACCOUNT_CLOSED', {
    error: 'This account was deleted by its owner, and can still be restored.',
    restorableUntil: until,
  });
}

/** Recognises the requester of the code by the attempt token or by the network. */
function identifyGuesser(
  { codeSecret }: ProveAddressDeps,
  { address }: Caller,
  { email, code, proof }: { email: string; code: MailedCode; proof: AddressProof },
): Guesser {
  const { nonce, requesters } = code;
  const { attemptToken = '' } = proof;
  const own = callerKey(address);
  const requester = requesters.find(
    ({ network }) =>
      isSameText(attemptToken, makeAttemptToken(codeSecret, { email, nonce }, network)) ||
      (network === own && own !== 'unknown'),
  );
  if (requester === undefined) return { kind: 'others', network: own };
  return { kind: 'requesters', network: requester.network };
}

function isLongCode(
  { codeSecret }: ProveAddressDeps,
  email: string,
  { nonce }: MailedCode,
  { attemptToken = '' }: AddressProof,
): boolean {
  const longCode = readLongCode(attemptToken);
  return longCode !== undefined && isSameText(longCode, makeLongCode(codeSecret, { email, nonce }));
}

async function findOrCreateAccount(
  deps: ProveAddressDeps,
  email: string,
  now: Date,
): Promise<Account> {
  const existing = await deps.accounts.findByEmail(email);
  if (existing !== undefined) {
    if (existing.closedAt !== undefined) return reopenAccount(deps, existing, now);
    requireActive(existing);
    return existing;
  }
  const invitation = await findInvitation(deps, email, now);
  if (invitation === undefined && !isOpenTo(deps, email)) throw codeExpired();
  const id = AccountId.parse(randomUUID());
  // Before the account is there: an interrupted sign-in leaves no account whose invitation is free.
  if (invitation !== undefined) {
    await deps.invitations.put({ ...invitation, joinedAt: instant(now), accountId: id });
  }
  // A trial would be a smaller plan than some, and nothing beside the plan of an invitation.
  const hasTrial = !invitation?.plan && deps.defaultPlan === 'free';
  return deps.accounts.create({
    id,
    email,
    tier: invitation?.plan ?? deps.defaultPlan,
    trialEndsAt: hasTrial ? instant(plusSeconds(now, deps.trialDays * daySeconds)) : null,
    projectCount: 0,
    storageBytes: 0,
    createdAt: instant(now),
  });
}

function wrongCode(attemptsLeft: number): CodedError {
  return new CodedError('OTP_INVALID', {
    error: 'This is not the code that was sent.',
    attemptsLeft,
    ...(attemptsLeft === 0 && { nextStep: longCodeNextStep }),
  });
}

function codeExpired(): CodedError {
  return new CodedError('OTP_EXPIRED', { error: 'There is no valid code for this address.' });
}

function notProvisioned({ requestId }: Caller, cause: unknown): CodedError {
  return new CodedError(
    'INTERNAL',
    {
      error: 'The account could not be set up.',
      requestId,
      nextStep: 'Request a new code and sign in again; repeating the sign-in is safe.',
    },
    { cause },
  );
}
