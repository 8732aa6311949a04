import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { StartError } from '../errors.ts';

/** A small JSON document that survives restarts. */
export interface StateFile<T> {
  read(): T;
  write(value: T): void;
}

/** Stores a document at `path`, readable by its owner only; writes are atomic. */
export function stateFile<T>(path: string, schema: z.ZodType<T>, initial: T): StateFile<T> {
  return {
    read() {
      if (!existsSync(path)) return initial;
      const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
      if (parsed.success) return parsed.data;
      throw new StartError(`${path} was written by another version. Start with --fresh.`);
    },
    write(value) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(value, undefined, 2), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}
