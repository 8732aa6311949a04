import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stateFile } from '../state/state-file.ts';
import { Message } from './message.ts';

/** The messages of one queue on disk. */
export interface MessageStore {
  /** Oldest first. */
  list(): Message[];
  write(message: Message): void;
  remove(id: string): void;
}

/** Keeps one file per message, so that a crash at any point leaves every message whole. */
export function messageStore(dir: string): MessageStore {
  mkdirSync(dir, { recursive: true });
  const fileOf = (id: string) => stateFile(join(dir, `${id}.json`), Message.nullable(), null);
  return {
    list: () =>
      readdirSync(dir)
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => fileOf(name.slice(0, -'.json'.length)).read() ?? [])
        .toSorted((a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt)),
    write: (message) => fileOf(message.id).write(message),
    remove: (id) => rmSync(join(dir, `${id}.json`), { force: true }),
  };
}
