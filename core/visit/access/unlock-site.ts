import { daySeconds } from '../../../contract/limits.ts';
import type { ProjectId } from '../../../contract/fields.ts';
import type { Caller } from '../../caller.ts';
import { epochSeconds } from '../../instants.ts';
import { isPassword } from '../../projects/settings/passwords.ts';
import { accessToken, passwordStampOf, type ViewerRole } from './access-token.ts';
import { type Refusal, refuseVisit } from '../refuse-visit.ts';
import {
  type PasswordTryDeps,
  keepPasswordTry,
  type PasswordTryOutcome,
  releasePasswordTry,
  reservePasswordTry,
} from './password-tries.ts';
import { findViewer, type ViewerDeps } from './viewer.ts';
import { findSite, type FindSiteDeps, type VisitedAddress } from '../find-site.ts';
import type { ServingRecord } from '../serving-record.ts';
import { recordWrongTry, type WrongTryDeps } from './wrong-tries.ts';

/** The dependencies for unlocking a site. */
export interface UnlockDeps extends PasswordTryDeps, WrongTryDeps, ViewerDeps, FindSiteDeps {
  /** The hash of a project's password; null where it has none. */
  passwordHashOf(projectId: ProjectId): Promise<string | null>;
  /** Called when a counter could not be written; the visitor gets their response all the same. */
  onFailure(item: unknown, error: unknown): void;
}

/** The outcome of one attempt; `refused` where no password helps. */
export type UnlockOutcome =
  | { kind: 'open' }
  | { kind: 'unlocked'; token: string; seconds: number }
  | { kind: 'wrong' }
  | TooManyTries
  | { kind: 'refused'; refusal: Refusal };

/** The limit that was reached, and when the next attempt is possible. */
export interface TooManyTries {
  kind: 'too-many';
  by: 'visitor' | 'project';
  freeAt: Date;
  retryAfterSeconds: number;
}

/** Access ends after this long, or earlier when another password is set. */
const unlockedSeconds = 30 * daySeconds;
export const maxPasswordLength = 255;

/**
 * Gives a visitor who knows the password access to the site at an address. An attempt is reserved in the
 * budgets before the password is compared, and released when it was right.
 */
export async function unlockSite(
  deps: UnlockDeps,
  caller: Caller,
  { password, access, ...address }: VisitedAddress & { password: string; access: string },
): Promise<UnlockOutcome> {
  const site = await findSite(deps, address);
  const now = deps.now();
  const role = await roleAt(deps, site, access, now);
  const refusal = refuseVisit(site, role, now);
  if (refusal === undefined) return { kind: 'open' };
  if (site === undefined || refusal.kind !== 'locked' || refusal.ask !== 'password') {
    return { kind: 'refused', refusal };
  }
  // No password has such a length: the response reveals nothing, so that the attempt need not count.
  if (password === '' || password.length > maxPasswordLength) return { kind: 'wrong' };
  const attempt = await reservePasswordTry(deps, { site, address: caller.address, access });
  if (attempt.kind === 'refused') {
    await countWrongTry(deps, site);
    return tooManyOutcome(attempt, deps.now());
  }
  const hash = await deps.passwordHashOf(site.projectId);
  const isRight = hash !== null && (await isPassword(password, hash));
  const endTry = isRight ? releasePasswordTry : keepPasswordTry;
  await endTry(deps, attempt.reservations).catch((error: unknown) =>
    deps.onFailure({ kind: 'password-try', projectId: site.projectId }, error),
  );
  if (isRight) return unlockedOutcome(deps, site, hash);
  await countWrongTry(deps, site);
  return { kind: 'wrong' };
}

async function roleAt(
  deps: UnlockDeps,
  site: ServingRecord | undefined,
  access: string,
  now: Date,
): Promise<ViewerRole> {
  if (site === undefined) return 'stranger';
  return (await findViewer(deps, site, { access, isPageView: false }, now)).role;
}

/** A visitor gets their response even if the count for the owner's alert fails. */
async function countWrongTry(deps: UnlockDeps, site: ServingRecord): Promise<void> {
  await recordWrongTry(deps, site, deps.now()).catch((error: unknown) =>
    deps.onFailure({ kind: 'wrong-try', projectId: site.projectId }, error),
  );
}

function unlockedOutcome(
  deps: UnlockDeps,
  { projectId }: ServingRecord,
  hash: string,
): UnlockOutcome {
  const expires = epochSeconds(deps.now()) + unlockedSeconds;
  const stamp = passwordStampOf(hash);
  const token = accessToken(deps.accessSecret, { projectId, role: 'guest', stamp, expires });
  return { kind: 'unlocked', token, seconds: unlockedSeconds };
}

/** The outcome of a try that was refused before the password was compared. */
export function tooManyOutcome(
  { by, freeAt }: Extract<PasswordTryOutcome, { kind: 'refused' }>,
  now: Date,
): TooManyTries {
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1000));
  return { kind: 'too-many', by, freeAt, retryAfterSeconds };
}
