import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import * as z from 'zod';

/** One message of a queue; instants are those of the local clock. */
export const Message = z.strictObject({
  id: z.string(),
  body: z.string(),
  senderId: z.string(),
  /** Whose message it is, in a fair queue. */
  groupId: z.string().optional(),
  delaySeconds: z.int().optional(),
  sentAt: z.iso.datetime(),
  /** It cannot be received before. */
  visibleAt: z.iso.datetime(),
  receiveCount: z.int(),
  firstReceivedAt: z.iso.datetime().optional(),
  /** The queue that moved it to the dead-letter queue. */
  deadLetterSourceArn: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

/** Hex MD5 of a body, which the SDK compares with what it sent. */
export function md5OfBody(body: string): string {
  return createHash('md5').update(body).digest('hex');
}

/** The messages of one queue on disk. */
export type MessageStore = ReturnType<typeof messageLog>;

const Entry = z.union([Message, z.strictObject({ removedId: z.string() })]);

/**
 * The log is rewritten when it has grown by this many bytes and to twice its size after the last
 * rewrite.
 */
const COMPACT_BYTES = 4 * 1024 * 1024;

/**
 * Stores the messages as a log: each change is one line at the end of a file.
 *
 * A file for each message took two fifths of the local cloud's own work during visits, because a counted
 * visit creates, replaces and deletes one.
 */
export function messageLog(dir: string) {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, 'messages.log');
  const ids = new Set<string>();
  let bytes = 0;
  let compactAt = COMPACT_BYTES;
  const appender = appendTo(file);

  function append(entry: z.infer<typeof Entry>): void {
    const line = `${JSON.stringify(entry)}\n`;
    appender.append(line);
    bytes += Buffer.byteLength(line);
  }

  function empty(): void {
    truncateSync(file);
    bytes = 0;
    compactAt = COMPACT_BYTES;
  }

  function compact(messages: readonly Message[]): void {
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    writeFileSync(`${file}.new`, lines, { mode: 0o600 });
    appender.close();
    renameSync(`${file}.new`, file);
    bytes = Buffer.byteLength(lines);
    compactAt = COMPACT_BYTES + 2 * bytes;
  }

  return {
    /** Oldest first. */
    list() {
      const messages = readLog(file).toSorted(
        (a, b) => Date.parse(a.sentAt) - Date.parse(b.sentAt),
      );
      compact(messages);
      for (const { id } of messages) ids.add(id);
      return messages;
    },
    /** Adds a message, or replaces the one with its id. When it returns, the message survives a crash. */
    write(message: Message) {
      ids.add(message.id);
      append(message);
      if (bytes > compactAt) compact(readLog(file));
    },
    remove(id: string) {
      if (!ids.delete(id)) return;
      if (ids.size === 0) empty();
      else append({ removedId: id });
    },
    close: () => appender.close(),
  };
}

/** Keeps a file open between appends; after `close`, the next one opens it again. */
function appendTo(file: string) {
  let opened: number | undefined;
  return {
    append(line: string): void {
      opened ??= openSync(file, 'a', 0o600);
      appendFileSync(opened, line);
    },
    close(): void {
      if (opened !== undefined) closeSync(opened);
      opened = undefined;
    },
  };
}

/** The messages that the log holds. A crash may have cut its last line off: that change was not confirmed. */
function readLog(file: string): Message[] {
  if (!existsSync(file)) return [];
  const messages = new Map<string, Message>();
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const entry = Entry.parse(JSON.parse(line));
    if ('removedId' in entry) messages.delete(entry.removedId);
    else messages.set(entry.id, entry);
  }
  return [...messages.values()];
}
