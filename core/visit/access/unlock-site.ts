import type { ProjectId } from '../../../contract/fields.ts';
import type { Caller } from '../../caller.ts';
import { epochSeconds } from '../../instants.ts';
import type { SiteDirectory } from '../../ports.ts';
import { isPassword } from '../../projects/settings/password-hash.ts';
import { accessToken, entrantOf, passwordStamp } from './access-token.ts';
import { type Decision, refuseVisit } from '../decide-visit.ts';
import {
  type PasswordTryDeps,
  type PasswordTryOutcome,
  releasePasswordTry,
  reservePasswordTry,
} from './password-tries.ts';
import type { ServingRecord } from '../serving-record.ts';
import { noteWrongTry, type WrongTryDeps } from './wrong-tries.ts';

/** What letting visitors in by a password needs. */
export interface UnlockDeps extends PasswordTryDeps, WrongTryDeps {
  sites: SiteDirectory;
  /** What a project's password is compared with; null where it has none. */
  passwordHashOf(projectId: ProjectId): Promise<string | null>;
  /** Told of what could not be written; the visitor's answer does not wait for it to be mended. */
  onFailure(item: unknown, error: unknown): void;
}

/** What became of one try; `site` says what keeps a visitor out whom no password helps. */
export type Unlocked =
  | { kind: 'open' }
  | { kind: 'unlocked'; token: string; seconds: number }
  | { kind: 'wrong' }
  | TooManyTries
  | { kind: 'refused'; decision: Decision };

/** Whose tries are used up, and when the next one may be made. */
export interface TooManyTries {
  kind: 'too-many';
  by: 'visitor' | 'project';
  freeAt: Date;
  retryAfterSeconds: number;
}

/** The one that somebody entered before lives until another password is set, and no longer than this. */
const unlockedSeconds = 30 * 24 * 3600;
const maxLength = 255;

/**
 * Lets a visitor into the site at `host` who knows its password. A try takes its places before it
 * is compared, and gives them back when it was right.
 */
export async function unlockSite(
  deps: UnlockDeps,
  caller: Caller,
  { host, password, access }: { host: string; password: string; access: string },
): Promise<Unlocked> {
  // The app's own host serves no site.
  const site = host === '' ? undefined : await deps.sites.get(host);
  const now = deps.now();
  const entrant = site === undefined ? 'nobody' : entrantOf(deps.accessSecret, access, site, now);
  const decision = refuseVisit(site, entrant, now);
  if (decision === undefined) return { kind: 'open' };
  if (site === undefined || decision.kind !== 'locked' || decision.ask !== 'password') {
    return { kind: 'refused', decision };
  }
  // No password is like that: it tells whoever sends it nothing, and uses nothing up.
  if (password === '' || password.length > maxLength) return { kind: 'wrong' };
  const attempt = await reservePasswordTry(deps, { site, address: caller.address, access });
  if (attempt.kind === 'refused') {
    await noteFailed(deps, site);
    return tooMany(attempt, deps.now());
  }
  const hash = await deps.passwordHashOf(site.projectId);
  if (hash === null || !(await isPassword(password, hash))) {
    await noteFailed(deps, site);
    return { kind: 'wrong' };
  }
  await releasePasswordTry(deps, attempt.reservations).catch((error: unknown) =>
    deps.onFailure({ kind: 'password-try', projectId: site.projectId }, error),
  );
  return unlocked(deps, site, hash);
}

/** Counting for the owner's sake is no reason to keep a visitor without an answer. */
async function noteFailed(deps: UnlockDeps, site: ServingRecord): Promise<void> {
  await noteWrongTry(deps, site, deps.now()).catch((error: unknown) =>
    deps.onFailure({ kind: 'wrong-try', projectId: site.projectId }, error),
  );
}

function unlocked(deps: UnlockDeps, { projectId }: ServingRecord, hash: string): Unlocked {
  const expires = epochSeconds(deps.now()) + unlockedSeconds;
  const stamp = passwordStamp(hash);
  const token = accessToken(deps.accessSecret, { projectId, role: 'visitor', stamp, expires });
  return { kind: 'unlocked', token, seconds: unlockedSeconds };
}

function tooMany(
  { by, freeAt }: Extract<PasswordTryOutcome, { kind: 'refused' }>,
  now: Date,
): TooManyTries {
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1000));
  return { kind: 'too-many', by, freeAt, retryAfterSeconds };
}
