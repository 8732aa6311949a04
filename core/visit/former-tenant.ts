import { daySeconds } from '../../contract/limits.ts';
import { epochSeconds, plusSeconds } from '../instants.ts';
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

/** For so long the address works that a page which clears a browser names. */
const proofSeconds = 300;

/** A browser that gets a page which clears it: the site, and the address that it comes from. */
export interface ClearedBrowser {
  site: Tenancy;
  address: string;
}

/**
 * The address that sets the cookie, for the browser that this page clears. A former service worker, or a page that is
 * still open, gets no such page, and nobody else can fetch its address for them.
 */
export function clearedAddress(secret: RotatingSecret, browser: ClearedBrowser, now: Date): string {
  const until = epochSeconds(plusSeconds(now, proofSeconds));
  return `${clearedPath}?by=${until}.${signatureOf(secret, 'clearing', proofOf(browser, until))}`;
}

/** Whether a page has just cleared this browser. */
export function wasJustCleared(
  secret: RotatingSecret,
  { by, ...browser }: ClearedBrowser & { by: string },
  now: Date,
): boolean {
  const [until = '', signature = ''] = by.split('.', 2);
  const isInTime = epochSeconds(now) <= Number(until);
  return isInTime && isSignatureOf(secret, 'clearing', proofOf(browser, Number(until)), signature);
}

const proofOf = ({ site, address }: ClearedBrowser, until: number) =>
  `${tenancyOf(site)}.${address}.${until}`;

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
 * The replacement of a service worker's script: none, a script that removes the worker, or one that
 * also deletes its data.
 */
export type WorkerRemoval = 'none' | 'worker' | 'worker-and-data';

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
 * worker in place.
 */
export function workerRemoval(update: WorkerUpdate, now: Date): WorkerRemoval {
  const { site, decision } = update;
  if (decision.kind === 'gone' || decision.kind === 'withheld') return 'worker';
  if (decision.kind === 'missing' && decision.what === 'site') return 'worker';
  if (site === null) return 'none';
  if (site.handedOverAt === null) return mayKeepPages(site, decision, now) ? 'worker' : 'none';
  if (isHandoverRecent(site, now) && !update.isCleared) return 'worker-and-data';
  return update.isScript || decision.kind === 'resting' ? 'none' : 'worker';
}

const deleteDatabases = `
    const databases = indexedDB.databases ? await indexedDB.databases() : [];
    for (const { name } of databases) indexedDB.deleteDatabase(name);`;

/**
 * A service worker that replaces another one, deletes its data and removes itself. It reloads only
 * pages that the other worker controlled; otherwise a page that registers a missing worker would
 * reload for ever.
 */
export function workerRemovalScript(removal: Exclude<WorkerRemoval, 'none'>): string {
  return `// The site that had a service worker here is gone: this one takes its place and removes itself.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));

async function forget() {
  try {
    for (const name of await caches.keys()) await caches.delete(name);${removal === 'worker' ? '' : deleteDatabases}
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
