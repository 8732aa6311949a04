import { randomUUID } from 'node:crypto';
import type { SignUpPolicy } from '../../../contract/fields.ts';
import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { callerKey } from '../../limits/caller-key.ts';
import type { Counters, LimitReader } from '../../limits/counters.ts';
import { noteLimits } from '../../limits/limit-state.ts';
import { findFullLimit, type LimitedPlace, reservePlaces } from '../../limits/reserve-places.ts';
import type { Rule } from '../../limits/sliding-window.ts';
import { attemptTokenOf, digitsOf, longCodeOf } from './code-secrets.ts';
import { normaliseEmail } from '../email.ts';
import type { AccountStore, CodeMailer, CodeStore } from '../ports.ts';
import { abandonSending, beginSending, finishSending, type Sending } from './send-code.ts';
import {
  isLongCodeCurrent,
  type MailedCode,
  resendWaitSeconds,
  type SignInRecord,
} from './sign-in-code.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** What sending codes needs. */
export interface RequestCodeDeps {
  codes: CodeStore;
  accounts: Pick<AccountStore, 'findByEmail'>;
  counters: Pick<Counters, 'take' | 'giveBack'> & LimitReader;
  mailer: CodeMailer;
  codeSecret: RotatingSecret;
  signUpPolicy: SignUpPolicy;
  now(): Date;
}

/** A request for a code, its address normalised. */
interface CodeRequest extends Sending {
  email: string;
  now: Date;
}

/** A code to be mailed; `resent` where it was mailed before. */
interface CodeToSend {
  code: MailedCode;
  resent: boolean;
}

/** Mails for a caller and for an address, counted from the first of the window (docs/contract.md, "Limits"). */
const perCaller: Rule[] = [{ limit: 10, windowSeconds: 3600, from: 'first' }];
const perAddress: Rule[] = [{ limit: 3, windowSeconds: 3600, from: 'first' }];

/**
 * E-mails a code, the same one again, or nothing while one is open.
 *
 * Of many requests at once one gets the right to send, and then its places in the limits. A code
 * comes into being when its mail has left; until then the one before stays what it was. Nothing in
 * the answer or its timing depends on whether the address has an account.
 * @throws CodedError RATE_LIMITED
 */
export async function requestCode(
  deps: RequestCodeDeps,
  caller: Caller,
  input: { email: string; resend: boolean },
) {
  const now = deps.now();
  const email = normaliseEmail(input.email);
  const network = callerKey(caller.address);
  const { codeSecret } = deps;
  const request = { id: randomUUID(), network, email, resend: input.resend, now, codeSecret };
  const begin = (record: SignInRecord) => beginSending(record, request, now);
  const found = begin(await deps.codes.read(email)).result;
  if (found.kind !== 'begun') return answer(deps, request, found.code, { codeAlreadySent: true });
  await refuseWithoutPlace(deps, caller, request);
  const state = await deps.codes.change(email, begin);
  if (state.kind !== 'begun') return answer(deps, request, state.code, { codeAlreadySent: true });
  const code = await sendCode(deps, caller, request, state);
  return answer(deps, request, code, { sent: true, resent: state.resent });
}

/** Whoever has no place in the limits must not keep others from sending, not even for a moment. */
async function refuseWithoutPlace(
  deps: RequestCodeDeps,
  caller: Caller,
  request: CodeRequest,
): Promise<void> {
  const full = await findFullLimit(deps.counters, mailLimits(request), request.now);
  if (full === undefined) return;
  noteLimits(caller, full.limits);
  throw await tooMany(deps, request, full.retryAfterSeconds);
}

/** Mails the code and makes it one that can be guessed; where no mail leaves, nothing has changed. */
async function sendCode(
  deps: RequestCodeDeps,
  caller: Caller,
  request: CodeRequest,
  sending: CodeToSend,
): Promise<MailedCode> {
  const { email, now } = request;
  const reservation = await reservePlaces(deps.counters, mailLimits(request), now);
  noteLimits(caller, reservation.limits);
  if (!reservation.reserved) {
    await deps.codes.change(email, (record) => abandonSending(record, request));
    throw await tooMany(deps, request, reservation.retryAfterSeconds);
  }
  try {
    await mailCode(deps, email, sending.code);
  } catch (error) {
    await Promise.all([
      reservation.release(),
      deps.codes.change(email, (record) => abandonSending(record, request)),
    ]);
    throw error;
  }
  return deps.codes.change(email, (record) => finishSending(record, request, sending, now));
}

async function mailCode(
  deps: RequestCodeDeps,
  email: string,
  { nonce }: MailedCode,
): Promise<void> {
  const digits = digitsOf(deps.codeSecret, { email, nonce });
  const longCode = longCodeOf(deps.codeSecret, { email, nonce });
  const welcome =
    deps.signUpPolicy === 'open' || (await deps.accounts.findByEmail(email)) !== undefined;
  await (welcome
    ? deps.mailer.sendCode(email, { digits, longCode })
    : deps.mailer.sendNoSignUp(email));
}

function mailLimits({ network, email }: CodeRequest): LimitedPlace[] {
  return [
    { name: 'caller', key: `codes-from#${network}`, rules: perCaller },
    { name: 'address', key: `codes-to#${email}`, rules: perAddress },
  ];
}

function answer(
  { codeSecret }: RequestCodeDeps,
  { email, network, now }: CodeRequest,
  code: MailedCode,
  outcome: { sent?: true; resent?: boolean; codeAlreadySent?: true },
) {
  const { sent = false, resent = false, codeAlreadySent = false } = outcome;
  const isRequester = code.requesters.some((requester) => requester.network === network);
  const { nonce } = code;
  return {
    status: 'success' as const,
    message: sent
      ? 'A six-digit code is on its way to this address.'
      : 'A code was already sent to this address and is still valid.',
    nextStep: `Ask for the six digits from the e-mail, then call POST /v1/auth/otp/verify${isRequester ? ' with them and this `attemptToken`' : ''}.`,
    data: {
      sent,
      resent,
      codeAlreadySent,
      expiresAt: code.expiresAt,
      resendAvailableInSeconds: resendWaitSeconds(code, now),
      ...(isRequester && { attemptToken: attemptTokenOf(codeSecret, { email, nonce }, network) }),
    },
  };
}

/** With a mail of the last hour at hand nobody has to wait: its code works, or else its long code. */
async function tooMany(
  { codes }: RequestCodeDeps,
  { email, now }: CodeRequest,
  retryAfterSeconds: number,
): Promise<CodedError> {
  const { code } = await codes.read(email);
  return new CodedError('RATE_LIMITED', {
    error: 'Too many sign-in e-mails were requested.',
    retryAfterSeconds,
    ...(code !== undefined &&
      isLongCodeCurrent(code, now) && {
        nextStep:
          'Verify the code that was already sent with POST /v1/auth/otp/verify. If it is refused, send the long code of the same e-mail as `attemptToken` with it.',
      }),
  });
}
