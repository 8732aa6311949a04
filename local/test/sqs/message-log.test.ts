import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Message, messageLog } from '../../sqs/message-log.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function aStoredMessage(id: string, body = id): Message {
  const at = `2026-01-01T00:00:${id.padStart(2, '0')}.000Z`;
  return { id, body, senderId: 's', sentAt: at, visibleAt: at, receiveCount: 0 };
}

function bodiesAfterRestart(dir: string): string[] {
  return messageLog(dir)
    .list()
    .map(({ body }) => body);
}

const change = fc.record({
  kind: fc.constantFrom('write', 'remove', 'restart'),
  id: fc.integer({ min: 10, max: 14 }).map(String),
  body: fc.string(),
});

test('holds what was written and not removed, after any sequence of changes and restarts', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const dir = temporaryFolder('log');
      const expected = new Map<string, string>();
      let log = messageLog(dir);
      log.list();
      for (const { kind, id, body } of changes) {
        if (kind === 'restart') {
          log = messageLog(dir);
          log.list();
        } else if (kind === 'write') {
          log.write(aStoredMessage(id, body));
          expected.set(id, body);
        } else {
          log.remove(id);
          expected.delete(id);
        }
      }
      const sorted = [...expected].toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(bodiesAfterRestart(dir)).toEqual(sorted.map(([, body]) => body));
    }),
    { numRuns: 60 },
  );
});

test('holds at any cut of its last line what was there before that line', () => {
  const dir = temporaryFolder('log');
  const file = join(dir, 'messages.log');
  const log = messageLog(dir);
  log.list();
  log.write(aStoredMessage('10'));
  log.write(aStoredMessage('11'));
  const before = readFileSync(file);
  log.remove('10');
  const after = readFileSync(file);
  for (let end = before.length; end < after.length; end += 1) {
    writeFileSync(file, after.subarray(0, end));
    expect(bodiesAfterRestart(dir)).toEqual(['10', '11']);
  }
  writeFileSync(file, after);
  expect(bodiesAfterRestart(dir)).toEqual(['11']);
});

test('a change after a cut line is not lost', () => {
  const dir = temporaryFolder('log');
  messageLog(dir).list();
  appendFileSync(join(dir, 'messages.log'), '{"id":"1');
  const log = messageLog(dir);
  expect(log.list()).toEqual([]);
  log.write(aStoredMessage('10'));
  expect(bodiesAfterRestart(dir)).toEqual(['10']);
});

test('the log does not grow with the messages that came and went', () => {
  const dir = temporaryFolder('log');
  const log = messageLog(dir);
  log.list();
  log.write(aStoredMessage('10'));
  const body = 'x'.repeat(500_000);
  let largest = 0;
  for (let count = 0; count < 40; count += 1) {
    log.write(aStoredMessage('11', body));
    log.remove('11');
    largest = Math.max(largest, statSync(join(dir, 'messages.log')).size);
  }
  expect(largest).toBeLessThan(6_000_000);
  expect(bodiesAfterRestart(dir)).toEqual(['10']);
});

test('nothing of deleted messages remains in the log of an empty queue', () => {
  const dir = temporaryFolder('log');
  const log = messageLog(dir);
  log.list();
  for (const id of ['10', '11']) log.write(aStoredMessage(id));
  for (const id of ['10', '11']) log.remove(id);
  expect(readFileSync(join(dir, 'messages.log'), 'utf8')).toBe('');
});
