import { describe, expect, test } from '@jest/globals';
import { AccountId } from '../../../../contract/fields.ts';
import { readCursor, writeCursor } from '../../../../core/transfer/export-account.ts';
import { ownerId } from '../../../fixtures/projects/a-project.ts';

const other = AccountId.parse('11111111-1111-4111-8111-111111111111');
const position = {
  listedAt: '2026-03-01T11:00:00.000Z#0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11',
  version: 12,
  filesFrom: 3400,
};
const cursor = writeCursor(ownerId, position);
const refused = expect.objectContaining({ code: 'INVALID_REQUEST', status: 400 });

describe('a cursor', () => {
  test('is parsed to its position', () => {
    expect(readCursor(ownerId, cursor)).toEqual(position);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test('is refused when any character of it was changed', () => {
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1);
      expect(() => readCursor(ownerId, changed)).toThrow(refused);
    }
  });

  test.each([
    ['of another account', writeCursor(other, position)],
    ['that is empty', ''],
    ['that is cut off', cursor.slice(0, -1)],
    ['with something behind it', `${cursor}A`],
    ['with what is no base64url', `${cursor}=`],
    ['with a space in it', ` ${cursor}`],
    ['that is text', 'page 2'],
    ['that is a position in the open', Buffer.from(JSON.stringify(position)).toString('base64url')],
    ['with half a number', writeCursor(ownerId, { ...position, version: 1.5 })],
    ['with a negative number', writeCursor(ownerId, { ...position, filesFrom: -1 })],
    ['with a position that is none', writeCursor(ownerId, { ...position, listedAt: 'x' })],
  ])('is refused: one %s', (_, wrong) => {
    expect(() => readCursor(ownerId, wrong)).toThrow(refused);
  });
});
