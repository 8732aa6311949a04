import type { InterruptedUpload } from './upload-state.ts';

/**
 * In the session storage: it survives a reload and ends with the tab. The signed URLs in it let their
 * holder send these files and nothing else; a sign-out removes them.
 */
const storageKey = 'slipway-uploads';

function readAll(): InterruptedUpload[] {
  try {
    const all: InterruptedUpload[] = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return all;
  } catch {
    return [];
  }
}

function writeAll(all: readonly InterruptedUpload[]): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(all));
  } catch {
    // Thousands of files do not fit. Such an upload starts again after a reload.
    sessionStorage.removeItem(storageKey);
  }
}

/** The uploads of an account that can go on: their URLs still work. */
export function interruptedUploads(account: string, now: number): InterruptedUpload[] {
  return readAll().filter(
    (upload) => upload.account === account && Date.parse(upload.announced.expiresAt) > now,
  );
}

/** How many bytes of an upload were sent. */
export function arrivedBytes({ files, announced, complete }: InterruptedUpload): number {
  const whole = new Map(files.map(({ path, size }) => [path, size]));
  return complete.reduce((sum, at) => {
    const { path = '', size = whole.get(path) ?? 0 } = announced.parts[at] ?? {};
    return sum + size;
  }, 0);
}

/** Keeps what a reload would lose. */
export function keepUpload(upload: InterruptedUpload): void {
  writeAll([...readAll().filter(({ id }) => id !== upload.id), upload]);
}

/** Forgets one upload, or all. */
export function forgetUpload(id?: string): void {
  writeAll(id === undefined ? [] : readAll().filter((upload) => upload.id !== id));
}
