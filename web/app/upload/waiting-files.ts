import type { PickedFile } from './picked.ts';

/**
 * Files that were too large to publish without an account, kept in this browser while their owner signs in.
 * A session holds texts only, so they are in IndexedDB, which all tabs share; their key in the session storage
 * says that this tab waits for them.
 */
const database = 'slipway-waiting';
const store = 'files';
const waitingMark = 'slipway-waiting';

/** Keeps files for the account that signs in next in this tab. Earlier ones are forgotten. */
export async function keepForAccount(files: readonly PickedFile[]): Promise<void> {
  const key = crypto.randomUUID();
  await inStore((all) => {
    all.clear();
    return all.put(files, key);
  });
  sessionStorage.setItem(waitingMark, key);
}

/** Takes the files that wait for this tab; empty if there are none. */
export async function takeWaiting(): Promise<PickedFile[]> {
  const key = sessionStorage.getItem(waitingMark) ?? '';
  sessionStorage.removeItem(waitingMark);
  const kept: unknown = await inStore((all) => all.get(key));
  await inStore((all) => all.delete(key));
  return Array.isArray(kept) ? kept : [];
}

async function inStore(use: (all: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(database, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(store));
  await settled(opening);
  const request = use(opening.result.transaction(store, 'readwrite').objectStore(store));
  await settled(request);
  opening.result.close();
  return request.result;
}

function settled(request: IDBRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () =>
      reject(request.error ?? new Error('nothing is stored')),
    );
  });
}
