import { createHash } from 'node:crypto';
import { daySeconds } from '../../../contract/limits.ts';
import { EmailAddress } from '../../../contract/fields.ts';
import { normaliseEmail } from '../../accounts/account.ts';
import { isSameText, readLongCode } from '../../accounts/sign-in/code-secrets.ts';
import { isRecipientRefused } from '../../accounts/sign-in/mail-limits.ts';
import type { Caller } from '../../caller.ts';
import { epochSeconds, instant, plusSeconds, secondsLeft } from '../../instants.ts';
import type { Counters } from '../../limits/counters.ts';
import { reservePlaces } from '../../limits/reserve-places.ts';
import {
  visitorCookieSeconds,
  visitorIdOf,
  visitorStampOf,
  type VisitorStore,
} from '../../people/visitor.ts';
import { readPreviewHost } from '../../projects/addresses/preview-host.ts';
import { findSite, type FindSiteDeps, type FoundSite, type VisitedAddress } from '../find-site.ts';
import { type Refusal, refuseVisit } from '../refuse-visit.ts';
import { accessToken } from './access-token.ts';
import { findViewer, mayOpen, mayOpenBy, readPeopleList, type ViewerDeps } from './viewer.ts';
import {
  codeSeconds,
  isVisitorLongCode,
  newVisitorCode,
  newVisitorLongCode,
  readVisitorCode,
} from './visitor-code.ts';
import {
  countVisitorGuess,
  countVisitorMail,
  isMailedWhileBusy,
  type KnownReader,
  visitorAskPlaces,
  visitorGuessPlaces,
  visitorMailPlaces,
  type VisitorLimit,
} from './visitor-limits.ts';

/** Mails to visitors of a page at `host`; @throws CodedError where no mail can be sent now. */
export interface VisitorMailer {
  sendCode(email: string, mail: { digits: string; longCode: string; host: string }): Promise<void>;
  sendNotListed(email: string, mail: { host: string }): Promise<void>;
}

/** The dependencies for letting people in who prove an address. */
export interface ProveVisitorDeps extends FindSiteDeps, ViewerDeps {
  counters: Pick<Counters, 'count' | 'reserve' | 'release'>;
  visitors: Pick<VisitorStore, 'find' | 'listOf' | 'admit'>;
  visitorMailer: VisitorMailer;
  /** Resolves after longer than a mail takes to be sent: the time of an answer must not tell who gets one. */
  pause(): Promise<unknown>;
  /** Called when a mail was not accepted for its recipient; the visitor's answer does not say so. */
  onFailure(item: unknown, error: unknown): void;
  now(): Date;
}

/** What a form sends, and the browser's access cookie. */
interface ProofRequest extends VisitedAddress {
  access: string;
  email: string;
}

/** Who may not go on, or need not. */
type Passed = { kind: 'open' } | { kind: 'refused'; refusal: Refusal };

interface LimitReached {
  kind: 'too-many';
  by: VisitorLimit;
  retryAfterSeconds: number;
}

/**
 * The outcome of asking for a code. `sent` says nothing about whether the address may open the page. While
 * `busySeconds` last, no mail is sent to addresses that the owner does not know.
 */
export type AskOutcome =
  | Passed
  | { kind: 'not-an-address' }
  | (LimitReached & { email: string })
  | { kind: 'sent'; email: string; token: string; busySeconds?: number | undefined };

/**
 * Mails a visitor the digits of a code, or that their address is not on the list. What happens, in which order and
 * with which answer, is the same for both: only the owner of the mailbox learns it.
 */
export async function askForCode(
  deps: ProveVisitorDeps,
  caller: Caller,
  request: ProofRequest,
): Promise<AskOutcome> {
  const found = await findClosedSite(deps, request);
  if ('kind' in found) return found;
  const { data: address } = EmailAddress.safeParse(request.email);
  if (address === undefined) return { kind: 'not-an-address' };
  const email = normaliseEmail(address);
  const now = deps.now();
  const purpose = { projectId: found.projectId, email };
  // The place of the caller is kept in any case: without it, requests that another limit refuses would have none.
  const asked = await reservePlaces(deps.counters, visitorAskPlaces(caller.address), now);
  if (!asked.reserved) return { ...limitReached(asked), email };
  const mailed = await reservePlaces(deps.counters, visitorMailPlaces(purpose), now);
  const busySeconds = mailed.reserved
    ? await countVisitorMail(deps.counters, found.projectId, now)
    : mailed.retryAfterSeconds;
  const { token, digits } = newVisitorCode(deps.accessSecret, purpose, now);
  const longCode = newVisitorLongCode(deps.accessSecret, purpose, now);
  const reader = await judgeReader(deps.visitors, found, email);
  const code = reader.mayOpen && { digits, longCode };
  if (busySeconds === undefined) await sendMail(deps, found, email, code);
  else await mailWhileBusy(deps, found, { email, code, known: reader.known });
  return mailed.reserved
    ? { kind: 'sent', email, token, busySeconds }
    : { ...limitReached(mailed), email };
}

/**
 * Mails known readers only, where strangers may have used up the mails of the page or of the mailbox. It takes as long
 * for everybody, and a mail that fails is not told.
 */
async function mailWhileBusy(
  deps: ProveVisitorDeps,
  found: FoundSite,
  { email, code, known }: { email: string; code: MailedCode; known: KnownReader | undefined },
): Promise<void> {
  const pause = deps.pause();
  const { projectId } = found;
  const reader = { projectId, ownerId: found.ownerId ?? projectId, email, known };
  if (await isMailedWhileBusy(deps.counters, reader, deps.now())) {
    await sendMail(deps, found, email, code).catch((error: unknown) =>
      deps.onFailure({ kind: 'visitor-mail', projectId }, error),
    );
  }
  await pause;
}

/** `false`: the address is not on the list. */
type MailedCode = { digits: string; longCode: string } | false;

async function sendMail(
  { visitorMailer, onFailure }: Pick<ProveVisitorDeps, 'visitorMailer' | 'onFailure'>,
  { projectId, host: visited, shows }: FoundSite,
  email: string,
  code: MailedCode,
): Promise<void> {
  // Anybody may put words where the name of a preview stands.
  const host = (shows === undefined ? undefined : readPreviewHost(visited)?.host) ?? visited;
  const sent =
    code === false
      ? visitorMailer.sendNotListed(email, { host })
      : visitorMailer.sendCode(email, { ...code, host });
  await sent.catch((error: unknown) => {
    // Whether a mailbox takes mail is nobody else's business; that this service sends none is.
    if (!isRecipientRefused(error)) throw error;
    onFailure({ kind: 'visitor-mail', projectId }, error);
  });
}

/** Whether an address may open the page, and how its owner knows it. The same reads for every address. */
async function judgeReader(
  visitors: ProveVisitorDeps['visitors'],
  site: FoundSite,
  email: string,
): Promise<{ mayOpen: boolean; known?: KnownReader }> {
  const { projectId } = site;
  const [list, visitor] = await Promise.all([
    readPeopleList(visitors, site),
    visitors.find(projectId, visitorIdOf(projectId, email)),
  ]);
  if (!mayOpenBy(list, site, email)) return { mayOpen: false };
  if (list?.people.includes(email) === true) return { mayOpen: true, known: 'listed' };
  const isReturning = visitor !== undefined && site.access === 'people';
  return { mayOpen: true, ...(isReturning && { known: 'returning' }) };
}

function limitReached(full: { name: VisitorLimit; retryAfterSeconds: number }): LimitReached {
  return { kind: 'too-many', by: full.name, retryAfterSeconds: full.retryAfterSeconds };
}

/** The outcome of entering a code. `ended`: it has expired, or had its five tries. */
export type EnterOutcome =
  | Passed
  | LimitReached
  | { kind: 'wrong' }
  | { kind: 'ended' }
  | { kind: 'not-listed' }
  | { kind: 'admitted'; token: string; seconds: number };

const triesOfCode = [{ limit: 5, windowSeconds: codeSeconds }];
const singleUse = [{ limit: 1, windowSeconds: codeSeconds }];
const singleUseOfLongCode = [{ limit: 1, windowSeconds: 2 * daySeconds }];

/**
 * Lets a visitor in who enters the digits of a mail, or its long code, to which no limit applies. A try is counted before it is compared, so that simultaneous
 * ones have no more than five together. The list decides now, not when the code was mailed.
 */
export async function enterCode(
  deps: ProveVisitorDeps,
  caller: Caller,
  request: ProofRequest & { token: string; digits: string },
): Promise<EnterOutcome> {
  const found = await findClosedSite(deps, request);
  if ('kind' in found) return found;
  const now = deps.now();
  const { data: address } = EmailAddress.safeParse(request.email);
  if (address === undefined) return { kind: 'ended' };
  const email = normaliseEmail(address);
  const purpose = { projectId: found.projectId, email };
  const longCode = readLongCode(request.digits);
  if (longCode !== undefined) {
    if (!isVisitorLongCode(deps.accessSecret, longCode, purpose, now)) return { kind: 'wrong' };
    return useLongCode(deps, found, email, longCode);
  }
  const code = readVisitorCode(deps.accessSecret, request.token, purpose, now);
  if (code === undefined) return { kind: 'ended' };
  const reservation = await reservePlaces(deps.counters, visitorGuessPlaces(caller.address), now);
  if (!reservation.reserved) {
    const { name, retryAfterSeconds } = reservation;
    return { kind: 'too-many', by: name, retryAfterSeconds };
  }
  const ofProject = await countVisitorGuess(deps.counters, found.projectId, now);
  if (ofProject === undefined) {
    return { kind: 'too-many', by: 'project', retryAfterSeconds: secondsLeft(daySeconds, now) };
  }
  const tries = await deps.counters.reserve(`visitor-code#${code.nonce}`, triesOfCode, now);
  if (!tries.reserved) return { kind: 'ended' };
  if (!isSameText(request.digits.replaceAll(/\s/g, ''), code.digits)) return { kind: 'wrong' };
  await Promise.all([reservation.release(), ofProject.release()]);
  const use = await deps.counters.reserve(`visitor-code-use#${code.nonce}`, singleUse, now);
  // After a double click the first answer has brought the cookie.
  if (!use.reserved) return { kind: 'open' };
  if (!(await mayOpen(deps.visitors, found, email))) return { kind: 'not-listed' };
  return admit(deps, found, email, now);
}

async function useLongCode(
  deps: ProveVisitorDeps,
  site: FoundSite,
  email: string,
  longCode: string,
): Promise<EnterOutcome> {
  const now = deps.now();
  const hash = createHash('sha256').update(`${site.projectId}\n${longCode}`).digest('base64url');
  const use = await deps.counters.reserve(`visitor-code-use#${hash}`, singleUseOfLongCode, now);
  // After a double click the first answer has brought the cookie.
  if (!use.reserved) return { kind: 'open' };
  if (!(await mayOpen(deps.visitors, site, email))) return { kind: 'not-listed' };
  return admit(deps, site, email, now);
}

/** The site, if it is closed to this browser until somebody proves an address. */
async function findClosedSite(
  deps: ProveVisitorDeps,
  { access, host, domainId }: ProofRequest,
): Promise<FoundSite | Passed> {
  const site = await findSite(deps, { host, domainId });
  const now = deps.now();
  const { role } =
    site === undefined
      ? ({ role: 'stranger' } as const)
      : await findViewer(deps, site, { access, isPageView: false }, now);
  const refusal = refuseVisit(site, role, now);
  if (refusal === undefined) return { kind: 'open' };
  if (site === undefined || refusal.kind !== 'locked' || refusal.ask !== 'address') {
    return { kind: 'refused', refusal };
  }
  return site;
}

/** The row is there before the cookie is. */
async function admit(
  deps: ProveVisitorDeps,
  site: FoundSite,
  email: string,
  now: Date,
): Promise<EnterOutcome> {
  const { projectId } = site;
  const id = visitorIdOf(projectId, email);
  const at = instant(now);
  const expiresAt = instant(plusSeconds(now, visitorCookieSeconds));
  await deps.visitors.admit({ id, projectId, email, createdAt: at, provedAt: at, expiresAt });
  const stamp = visitorStampOf(id, site);
  const expires = epochSeconds(now) + visitorCookieSeconds;
  const token = accessToken(deps.accessSecret, { projectId, role: 'person', stamp, expires });
  return { kind: 'admitted', token, seconds: visitorCookieSeconds };
}
