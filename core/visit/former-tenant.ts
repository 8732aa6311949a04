import { daySeconds } from '../../contract/limits.ts';
import { plusSeconds } from '../instants.ts';
import { isSignatureOf, type RotatingSecret, signatureOf } from '../secrets/rotating-secret.ts';
import { mayKeepPages } from './ended-access.ts';
import type { FetchMetadata } from './route-visit.ts';
import type { ServingRecord } from './serving-record.ts';

/** For this long after an address changed hands, its pages make browsers delete what the former site stored. */
const clearingDays = 90;

/** The address that sets the cookie of a cleared browser; see decision 0034. */
export const clearedPath = '/_slipway/cleared';

/** The fields of a site that concern a former site at its address. */
export type Tenancy = Pick<ServingRecord, 'projectId' | 'handedOverAt' | 'accessChangedAt'>;

/** The part of a request that concerns what a former site stored in this browser. */
export interface ReturningVisit {
  /** The signed cookie of a browser that was cleared; `-` for none. */
  cleared: string;
  fetch: Pick<FetchMetadata, 'dest'>;
}

/** When browsers no longer need clearing; `undefined` where no former site of the address is known. */
export function clearingEndsAt({ handedOverAt }: Tenancy): Date | undefined {
  if (handedOverAt === null) return undefined;
  return plusSeconds(new Date(handedOverAt), clearingDays * daySeconds);
}

/** Whether an address changed hands so recently that browsers may still have data of the former site. */
export function isHandoverRecent(site: Tenancy, now: Date): boolean {
  const endsAt = clearingEndsAt(site);
  return endsAt !== undefined && now < endsAt;
}

/**
 * The cookie value of a browser that was cleared since this project got its address. It is signed,
 * because a former site could set a cookie in advance.
 */
export function clearedMark(secret: RotatingSecret, site: Tenancy): string {
  return signatureOf(secret, 'cleared', tenancyOf(site));
}

/** Whether this browser has been cleared. */
export function isCleared(secret: RotatingSecret, site: Tenancy, mark: string): boolean {
  return isSignatureOf(secret, 'cleared', tenancyOf(site), mark);
}

const tenancyOf = ({ projectId, handedOverAt }: Tenancy) => `${projectId}.${handedOverAt}`;

/**
 * Whether a response, if it is a page, must clear this browser. Once for each browser, because
 * clearing deletes the present site's data too. Only for navigations, or clients without Fetch
 * Metadata: another site that embeds a page must not clear its visitors' data.
 */
export function mustClearBrowser(
  secret: RotatingSecret,
  site: Tenancy,
  { cleared, fetch }: ReturningVisit,
  now: Date,
): boolean {
  const isOpened = fetch.dest === 'document' || fetch.dest === '';
  return isOpened && isHandoverRecent(site, now) && !isCleared(secret, site, cleared);
}

/**
 * The replacement of a service worker's script: none, a script that removes the worker, one that also deletes its
 * data, or one that is the site's own script and removes itself where that is no worker.
 */
export type WorkerRemoval = 'none' | 'worker' | 'worker-and-data' | 'no-worker';

/** A browser's request for a service worker's script, and what the site would answer. */
export interface WorkerUpdate {
  /** Null where no project is at the address. */
  site: Tenancy | null;
  decision: { kind: string; what?: 'site' | 'file' };
  /** Whether the response is a script of the present site. */
  isScript: boolean;
  isCleared: boolean;
}

/**
 * Whether a service worker must be removed. A browser keeps a worker whose script is missing
 * (w3c/ServiceWorker, issue 204), and the worker continues to show its pages, whoever has the
 * address: only another script ends it.
 *
 * The worker of the same site is removed too for visitors who lost access; its data stay. Data also
 * stay if the owner of a former site may get the address back. After the browser was cleared, the
 * data belong to the present site. Before that, not even a script of the present site may be sent:
 * the former worker may have chosen its path, and a script that is not a worker leaves the former
 * worker in place. It may have fetched the mark of a cleared browser too, so a script of the present
 * site takes its place whatever it is.
 */
export function workerRemoval(update: WorkerUpdate, now: Date): WorkerRemoval {
  const { site, decision } = update;
  if (decision.kind === 'gone' || decision.kind === 'withheld') return 'worker';
  if (decision.kind === 'missing' && decision.what === 'site') return 'worker';
  if (site === null) return 'none';
  if (site.handedOverAt === null) return mayKeepPages(site, decision, now) ? 'worker' : 'none';
  return removalAfterHandover(site, update, now);
}

function removalAfterHandover(site: Tenancy, update: WorkerUpdate, now: Date): WorkerRemoval {
  const isRecent = isHandoverRecent(site, now);
  if (isRecent && !update.isCleared) return 'worker-and-data';
  if (!update.isScript) return update.decision.kind === 'resting' ? 'none' : 'worker';
  return isRecent ? 'no-worker' : 'none';
}

const leaving = "self.addEventListener('activate', (event) => event.waitUntil(leave()));";

const deleteDatabases = `
    const databases = indexedDB.databases ? await indexedDB.databases() : [];
    for (const { name } of databases) indexedDB.deleteDatabase(name);`;

/**
 * Requests the script once more, without `Service-Worker`; at its own address a worker finds what it already has.
 * Module workers have no `importScripts`, and are removed.
 */
const ownScript = `try {
  importScripts(self.location.href + (self.location.search === '' ? '?' : '&') + 'own');
} catch {
  ${leaving}
}`;

/**
 * A service worker that replaces another one, deletes its data and removes itself. It reloads only
 * pages that the other worker controlled; otherwise a page that registers a missing worker would
 * reload for ever.
 */
export function workerRemovalScript(removal: Exclude<WorkerRemoval, 'none'>): string {
  return `// The site that had a service worker here is gone: this one takes its place and removes itself.
self.addEventListener('install', () => self.skipWaiting());
${removal === 'no-worker' ? ownScript : leaving}

async function forget() {
  try {
    for (const name of await caches.keys()) await caches.delete(name);${removal === 'worker-and-data' ? deleteDatabases : ''}
  } catch {
    // If a removal step fails, the pages must not stay unavailable.
  }
}

async function leave() {
  await forget();
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({ type: 'window' })) {
    page.navigate(page.url).catch(() => {});
  }
}
`;
}
