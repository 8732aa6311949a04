import { EventEmitter, once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { CommandError, exitCodes } from '../command-error.ts';

/** Waits until files change in some folders. */
export interface FolderWatch {
  /**
   * Watches the folders that `read` names before it reads each of them, so that no change between two reads is
   * missed, and no other folders any more. They are opened anew: one that was deleted and made again is another one.
   * @throws CommandError where the system watches no more folders; what `read` throws
   */
  around<T>(read: (onFolder: OnFolder) => Promise<T>): Promise<T>;
  /** Returns when something changed since the last call, and nothing more for a moment. @throws when `signal` aborts */
  nextChange(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Names a folder to watch; of some, only the entry of this name counts. */
export type OnFolder = (folder: string, entry?: string) => void;

/** Changes that follow each other this closely are one: an editor and a build write many files. Milliseconds. */
const quietMs = 250;
/** Changes that never end are published after this time. */
const longestMs = 5000;

/** A watch of no folder yet. */
export function watchFolders(): FolderWatch {
  let watchers: FSWatcher[] = [];
  const changes = new EventEmitter();
  let isChanged = false;
  const onEvent = () => {
    isChanged = true;
    changes.emit('change');
  };
  return {
    async around(read) {
      const former = watchers;
      const opened: FSWatcher[] = [];
      watchers = opened;
      try {
        return await read((folder, entry) => {
          const one = open(folder, (name) => {
            if (entry === undefined || name === null || name === entry) onEvent();
          });
          one?.on('error', onEvent);
          if (one !== undefined) opened.push(one);
        });
      } finally {
        closeAll(former);
      }
    },
    async nextChange(signal) {
      signal.throwIfAborted();
      if (!isChanged) await once(changes, 'change', { signal });
      const last = Date.now() + longestMs;
      while (isChanged && Date.now() < last) {
        isChanged = false;
        await sleep(quietMs, undefined, { signal });
      }
      isChanged = false;
    },
    close: () => closeAll(watchers),
  };
}

function closeAll(watchers: readonly FSWatcher[]): void {
  for (const one of watchers) one.close();
}

/** A folder that is gone is watched by nobody: the one above it is. */
function open(folder: string, onEvent: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(folder, (_, name) => onEvent(name));
  } catch (error) {
    const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
    if (code !== 'ENOSPC' && code !== 'EMFILE') return undefined;
    throw new CommandError(exitCodes.refused, 'This system watches no more folders.', {
      next: 'Publish a folder with fewer folders, or raise fs.inotify.max_user_watches and max_user_instances.',
    });
  }
}
