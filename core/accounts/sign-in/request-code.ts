import { randomUUID } from 'node:crypto';
import type { Caller } from '../../caller.ts';
import { CodedError } from '../../errors.ts';
import { callerKey } from '../../limits/caller-key.ts';
import type { Counters, LimitReader } from '../../limits/counters.ts';
import { recordLimits } from '../../limits/sliding-window.ts';
import { findFullLimit, type LimitedPlace, reservePlaces } from '../../limits/reserve-places.ts';
import { findInvitation, isOpenTo, type SignUpDeps } from './invitation.ts';
import { makeAttemptToken, makeDigits, makeLongCode } from './code-secrets.ts';
import { normaliseEmail } from '../account.ts';
import type { AccountStore, CodeMailer, CodeStore } from '../ports.ts';
import { isRecipientRefused, requireMailBudget, signInMailLimits } from './mail-limits.ts';
import { abandonSending, beginSending, finishSending, type SendingRequest } from './send-code.ts';
import {
  isLongCodeCurrent,
  type MailedCode,
  resendWaitSeconds,
  type SignInRecord,
} from './sign-in-code.ts';
import type { RotatingSecret } from '../../secrets/rotating-secret.ts';

/** The dependencies for sending codes. */
export interface RequestCodeDeps extends SignUpDeps {
  codes: CodeStore;
  accounts: Pick<AccountStore, 'get' | 'findByEmail'>;
  counters: Pick<Counters, 'count' | 'reserve' | 'release'> & LimitReader;
  mailer: CodeMailer;
  codeSecret: RotatingSecret;
  /** Mails that one e-mail address gets in an hour, a setting of the installation. */
  mailsPerHour: number;
  now(): Date;
}

interface CodeInput {
  email: string;
  resend: boolean;
}

/** A request for a code, its address normalised. */
interface CodeRequest extends SendingRequest {
  email: string;
  /** The limits that each mail counts towards. */
  limits: readonly LimitedPlace[];
  now: Date;
}

type IssueCodeDeps = Omit<RequestCodeDeps, 'mailsPerHour'>;

/** A code to mail; `resent` if it was mailed before. */
interface CodeToSend {
  code: MailedCode;
  resent: boolean;
}

/**
 * E-mails a sign-in code. While a code is valid, it sends the same one again (`resend`) or nothing.
 *
 * Of concurrent requests, one gets the right to send and then counts against the limits. A new code
 * becomes valid after its mail was accepted; until then the previous code stays valid. Neither the
 * response nor its timing depends on whether the address has an account.
 * @throws CodedError RATE_LIMITED
 */
export async function requestSignInCode(deps: RequestCodeDeps, caller: Caller, input: CodeInput) {
  const email = normaliseEmail(input.email);
  const limits = signInMailLimits(deps, caller.address, email);
  return issueCode(deps, caller, { email, resend: input.resend, limits });
}

/**
 * Sends a code within these limits.
 * @throws CodedError RATE_LIMITED
 */
export async function issueCode(
  deps: IssueCodeDeps,
  caller: Caller,
  input: CodeInput & { limits: readonly LimitedPlace[] },
) {
  const now = deps.now();
  const network = callerKey(caller.address);
  const { codeSecret } = deps;
  const request = { id: randomUUID(), network, now, codeSecret, ...input };
  const begin = (record: SignInRecord) => beginSending(record, request, now);
  const found = begin(await deps.codes.read(input.email)).result;
  if (found.kind !== 'begun')
    return describeRequest(deps, request, found.code, { codeAlreadySent: true });
  await requireMailAllowance(deps, caller, request);
  const state = await deps.codes.change(input.email, begin);
  if (state.kind !== 'begun')
    return describeRequest(deps, request, state.code, { codeAlreadySent: true });
  const code = await sendCode(deps, caller, request, state);
  return describeRequest(deps, request, code, { sent: true, resent: state.resent });
}

/** A caller above the limits must not block others from sending, not even briefly. */
async function requireMailAllowance(
  deps: IssueCodeDeps,
  caller: Caller,
  request: CodeRequest,
): Promise<void> {
  const full = await findFullLimit(deps.counters, request.limits, request.now);
  if (full === undefined) return;
  recordLimits(caller, full.limits);
  throw await tooManyMails(deps, request, full.retryAfterSeconds);
}

/**
 * Mails the code and then makes it valid. If the mail fails, nothing changes; but a mail that the
 * recipient's server refuses counts towards the limits, so that nobody can try without end.
 */
async function sendCode(
  deps: IssueCodeDeps,
  caller: Caller,
  request: CodeRequest,
  sending: CodeToSend,
): Promise<MailedCode> {
  const { email, limits, now } = request;
  const reservation = await reservePlaces(deps.counters, limits, now);
  recordLimits(caller, reservation.limits);
  if (!reservation.reserved) {
    await deps.codes.change(email, (record) => abandonSending(record, request));
    throw await tooManyMails(deps, request, reservation.retryAfterSeconds);
  }
  try {
    if (limits.length > 0) await requireMailBudget(deps, { email, mails: 1 }, now);
    await mailCode(deps, email, sending.code);
  } catch (error) {
    await Promise.all([
      ...(isRecipientRefused(error) ? [] : [reservation.release()]),
      deps.codes.change(email, (record) => abandonSending(record, request)),
    ]);
    throw error;
  }
  return deps.codes.change(email, (record) => finishSending(record, request, sending, now));
}

async function mailCode(deps: IssueCodeDeps, email: string, { nonce }: MailedCode): Promise<void> {
  const digits = makeDigits(deps.codeSecret, { email, nonce });
  const longCode = makeLongCode(deps.codeSecret, { email, nonce });
  await ((await isWelcome(deps, email))
    ? deps.mailer.sendCode(email, { digits, longCode })
    : deps.mailer.sendNoSignUp(email));
}

/** Always both reads where sign-up is not open, so that the time does not tell which of them found something. */
async function isWelcome(deps: IssueCodeDeps, email: string): Promise<boolean> {
  if (isOpenTo(deps, email)) return true;
  const [account, invitation] = await Promise.all([
    deps.accounts.findByEmail(email),
    findInvitation(deps, email, deps.now()),
  ]);
  return account !== undefined || invitation !== undefined;
}

function describeRequest(
  { codeSecret }: IssueCodeDeps,
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
      ...(isRequester && { attemptToken: makeAttemptToken(codeSecret, { email, nonce }, network) }),
    },
  };
}

/**
 * The error for too many mails. A person with a mail from the last hour need not wait: its code or
 * its long code still works.
 */
async function tooManyMails(
  { codes }: IssueCodeDeps,
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
