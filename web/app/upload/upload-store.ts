import type { Picked } from './picked.ts';
import { forgetUpload } from './interrupted.ts';
import { Upload } from './upload.ts';
import {
  type InterruptedUpload,
  newUpload,
  type UploadChoices,
  type UploadResult,
  type UploadState,
  type UploadTarget,
} from './upload-state.ts';

/** The uploads of this tab. They go on while somebody looks at other views. */
const uploads = new Map<string, Upload>();
const listeners = new Set<() => void>();
let snapshot: readonly UploadState[] = [];

function notify(): void {
  snapshot = [...uploads.values()].map(({ state }) => state);
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export const uploadStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => snapshot,
};

/** Called when something was published. */
type OnPublished = (result: UploadResult) => void;

/** Starts an upload of somebody's account. */
export function startUpload({ account, picked, target, onPublished }: NewUpload): void {
  begin(new Upload({ account, state: newUpload(picked, target), notify, onPublished }));
}

interface NewUpload {
  account: string;
  picked: Picked;
  target: UploadTarget;
  onPublished: OnPublished;
}

/** Goes on with an upload of an earlier page load, with the same files. */
export function resumeInterrupted(
  interrupted: InterruptedUpload,
  picked: Picked,
  onPublished: OnPublished,
): void {
  const { account, id, title, target } = interrupted;
  const state = { ...newUpload(picked, target), id, title };
  begin(new Upload({ account, state, notify, onPublished, interrupted }));
}

function begin(upload: Upload): void {
  const { target } = upload.state;
  if (target.kind !== 'project') dismissDone(target.projectId);
  uploads.set(upload.state.id, upload);
  notify();
  upload.start();
}

/** Forgets the finished uploads of a project that has changed since: their cards say what was true before. */
export function dismissDone(projectId: string, { keepsDraft = false } = {}): void {
  for (const { state } of uploads.values()) {
    const isKept = keepsDraft && state.result?.draft !== undefined;
    const isDone = state.phase === 'done' && state.result?.projectId === projectId;
    if (isDone && !isKept) uploads.delete(state.id);
  }
  notify();
}

/** Stops an upload and forgets it. Nothing of it is published. */
export function dismissUpload(id: string): void {
  uploads.get(id)?.cancel();
  uploads.delete(id);
  forgetUpload(id);
  notify();
}

/** Publishes an upload again, with what was left out of it or with pictures of other sites. */
export function publishAgain(id: string, choice: UploadChoices): void {
  const upload = uploads.get(id);
  if (upload === undefined) return;
  uploads.delete(id);
  begin(new Upload(upload.again(choice)));
}

/** Under this name, the browser's storage has the account whose pictures and ZIP are in it. */
const ownerKey = 'account';

/** Forgets what another account left in this browser, before this one sees anything. */
export function forgetOtherAccounts(account: string): void {
  const former = localStorage.getItem(ownerKey) ?? account;
  const ofUploads = [...uploads.values()].map((upload) => upload.account);
  if ([former, ...ofUploads].some((one) => one !== account)) cancelAllUploads();
  localStorage.setItem(ownerKey, account);
}

/** Stops every upload, and forgets pictures and ZIPs of projects, before somebody else may sign in. */
export function cancelAllUploads(): void {
  localStorage.clear();
  void navigator.storage
    ?.getDirectory()
    .then((folder) => folder.removeEntry('account.zip'))
    .catch(() => undefined);
  for (const id of uploads.keys()) dismissUpload(id);
  forgetUpload();
}

export const pauseUpload = (id: string) => uploads.get(id)?.pause();
export const resumeUpload = (id: string) => uploads.get(id)?.resume();
export const retryUpload = (id: string) => uploads.get(id)?.start();
export const answerUpload = (id: string, choice: UploadChoices) => uploads.get(id)?.answer(choice);

/** Closing the tab now would lose an upload. */
addEventListener('beforeunload', (event) => {
  const isBusy = snapshot.some(({ phase }) => phase === 'sending' || phase === 'storing');
  if (isBusy) event.preventDefault();
});
