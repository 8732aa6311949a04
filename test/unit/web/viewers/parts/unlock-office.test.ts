import { expect, test } from '@jest/globals';
import { readLock, unlock } from '../../../../../web/viewers/parts/unlock-office.ts';
import { aLockedOffice } from '../../../../fixtures/visits/locked-office.ts';
import { aBinaryWord } from '../../../../fixtures/visits/sample-readings.ts';

const content = Buffer.from('PK the document, which is longer than two segments. '.repeat(200));
const lockOf = (bytes: Buffer) => readLock(Uint8Array.from(bytes));

test('a locked document is opened by its password, and by no other', async () => {
  const lock = lockOf(aLockedOffice(content, 'Hafen·🔒'));
  if (lock === undefined) throw new Error('no lock');
  expect(await unlock(lock, 'Hafen')).toBeUndefined();
  const opened = await unlock(lock, 'Hafen·🔒');
  expect(Buffer.from(opened ?? [])).toEqual(content);
});

const slow = aLockedOffice(content, 'x', 3)
  .toString('latin1')
  .replace('spinCount="3"', 'spinCount="9e9"');

test.each([
  ['a document without a password', Buffer.from('PK')],
  ['a document of Word 97', aBinaryWord([])],
  ['a password that is hashed for hours', Buffer.from(slow, 'latin1')],
])('%s has no lock that is opened here', (_, bytes) => {
  expect(lockOf(bytes)).toBeUndefined();
});
