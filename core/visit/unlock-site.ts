import type { ProjectId } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import { epochSeconds } from '../instants.ts';
import { callerKey } from '../limits/caller-key.ts';
import type { Counters } from '../limits/counters.ts';
import type { SiteDirectory } from '../ports.ts';
import { isPassword } from '../projects/password-hash.ts';
import { accessToken, entrantOf, passwordStamp } from './access-token.ts';
import { type Decision, refuseVisit } from './decide-visit.ts';

/** What letting visitors in by a password needs. */
export interface UnlockDeps {
  sites: SiteDirectory;
  /** What a project's password is compared with; null where it has none. */
  passwordHashOf(projectId: ProjectId): Promise<string | null>;
  counters: Pick<Counters, 'take'>;
  accessSecret: string;
  now(): Date;
}

/** What became of one try; `site` says what keeps a visitor out whom no password helps. */
export type Unlocked =
  | { kind: 'open' }
  | { kind: 'unlocked'; token: string; seconds: number }
  | { kind: 'wrong' }
  | { kind: 'too-many'; retryAfterSeconds: number }
  | { kind: 'refused'; decision: Decision };

/** The one that somebody entered before lives until another password is set, and no longer than this. */
const unlockedSeconds = 30 * 24 * 3600;
const tries = [{ limit: 5, windowSeconds: 60 }];
const maxLength = 255;

/** Lets a visitor into the site at `host` who knows its password; tries are counted before they are looked at. */
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
  const { projectId } = site;
  const key = `unlock#${projectId}#${callerKey(caller.address)}`;
  const taken = await deps.counters.take(key, tries, now);
  if (!taken.taken) return { kind: 'too-many', retryAfterSeconds: taken.retryAfterSeconds };
  const hash = await deps.passwordHashOf(projectId);
  if (hash === null || password === '' || password.length > maxLength) return { kind: 'wrong' };
  if (!(await isPassword(password, hash))) return { kind: 'wrong' };
  const expires = epochSeconds(now) + unlockedSeconds;
  const stamp = passwordStamp(hash);
  const token = accessToken(deps.accessSecret, { projectId, role: 'visitor', stamp, expires });
  return { kind: 'unlocked', token, seconds: unlockedSeconds };
}
