import { createHmac } from 'node:crypto';
import { plusSeconds } from '../instants.ts';
import { isSignedWith, type RotatingSecret } from '../secrets/rotating-secret.ts';
import type { Decision } from './decide-visit.ts';
import type { FetchMetadata } from './visit.ts';
import type { ServingRecord } from './serving-record.ts';

/** For so long after an address changed hands its pages make browsers forget what the former site left there. */
const clearingDays = 90;
const daySeconds = 86_400;

/** What of a site tells about a former one at its address. */
export type Tenancy = Pick<ServingRecord, 'projectId' | 'handedOverAt'>;

/** A request as far as it matters to what a former site left in this browser. */
export interface ReturningVisit {
  /** The mark of a browser that was cleared; `-` for none. */
  cleared: string;
  fetch: Pick<FetchMetadata, 'dest'>;
}

/** When browsers need no clearing any more; `undefined` where nobody else is known to have had the address. */
export function clearingEndsAt({ handedOverAt }: Tenancy): Date | undefined {
  if (handedOverAt === null) return undefined;
  return plusSeconds(new Date(handedOverAt), clearingDays * daySeconds);
}

/** Whether an address changed hands so lately that browsers may hold what the former site left. */
function isClearing(site: Tenancy, now: Date): boolean {
  const endsAt = clearingEndsAt(site);
  return endsAt !== undefined && now < endsAt;
}

/**
 * The mark of a browser that was cleared since this project has its address. Nobody can make it
 * without the secret: a former site could have left it in a browser before.
 */
export function clearedMark({ current }: RotatingSecret, site: Tenancy): string {
  return markOf(current, site);
}

function markOf(secret: string, { projectId, handedOverAt }: Tenancy): string {
  return createHmac('sha256', secret)
    .update(`cleared\n${projectId}.${handedOverAt}`)
    .digest('base64url');
}

/** Whether a browser was cleared already. */
export function isCleared(secret: RotatingSecret, site: Tenancy, mark: string): boolean {
  return isSignedWith(secret, mark, (value) => markOf(value, site));
}

/**
 * Whether the answer is to clear this browser, if it is a page. Once for each browser: it would take
 * what the present site keeps there too. Only for what a person opens, or a client that says
 * nothing of it: another site may embed a page, and must not clear its visitors' data with that.
 */
export function clearsBrowser(
  secret: RotatingSecret,
  site: Tenancy,
  { cleared, fetch }: ReturningVisit,
  now: Date,
): boolean {
  const isOpened = fetch.dest === 'document' || fetch.dest === '';
  return isOpened && isClearing(site, now) && !isCleared(secret, site, cleared);
}

/** What an update of a service worker gets instead of its script: nothing else, or a script that removes the worker, or also what it stored. */
export type WorkerRemoval = 'none' | 'worker' | 'worker-and-data';

/** What a browser that asks for a service worker's script would get. */
export interface WorkerUpdate {
  /** Null where no project is at the address. */
  site: Tenancy | null;
  decision: Pick<Decision, 'kind'> & { what?: 'site' | 'file' };
  /** Whether that is a script of the present site. */
  isScript: boolean;
  isCleared: boolean;
}

/**
 * Whether a service worker is to go. A browser keeps one whose script is missing (w3c/ServiceWorker,
 * issue 204), and it goes on showing its pages, whoever has the address: only another script ends it.
 *
 * Its data stay where its owner may come back. Where the present site had the browser cleared, they
 * are its own. Until then not even a script of the present site is an answer: the former worker may
 * have chosen its path, and a script that is no worker leaves the former one in place.
 */
export function workerRemoval(update: WorkerUpdate, now: Date): WorkerRemoval {
  const { site, decision } = update;
  if (decision.kind === 'gone' || decision.kind === 'withheld') return 'worker';
  if (decision.kind === 'missing' && decision.what === 'site') return 'worker';
  if (site === null || site.handedOverAt === null) return 'none';
  if (isClearing(site, now) && !update.isCleared) return 'worker-and-data';
  return update.isScript || decision.kind === 'resting' ? 'none' : 'worker';
}

const databasesGo = `
    const databases = indexedDB.databases ? await indexedDB.databases() : [];
    for (const { name } of databases) indexedDB.deleteDatabase(name);`;

/**
 * A service worker that takes the place of another one, forgets what that kept, and goes. Only pages
 * that the other one showed are loaded again, so that a page that asks for a worker that is not
 * there is not loaded for ever.
 */
export function workerRemovalScript(removal: Exclude<WorkerRemoval, 'none'>): string {
  return `// The site that had a service worker here is gone: this one takes its place and removes itself.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(leave()));

async function forget() {
  try {
    for (const name of await caches.keys()) await caches.delete(name);${removal === 'worker' ? '' : databasesGo}
  } catch {
    // What cannot be forgotten keeps no page.
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
