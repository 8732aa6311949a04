import { describe, expect, test } from '@jest/globals';
import {
  ConditionalCheckFailedException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  retryOnConflict,
  tryConditionalWrite,
} from '../../../../adapters/dynamodb/document-client.ts';

const conflict = new TransactionConflictException({ message: 'busy', $metadata: {} });
const lost = new ConditionalCheckFailedException({ message: 'lost', $metadata: {} });

/** A write that meets these errors one after the other, and then goes through. */
function writing(...errors: Error[]) {
  let calls = 0;
  const write = async () => {
    calls += 1;
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'written';
  };
  return { write, calls: () => calls };
}

describe('a write of a row that transactions write too', () => {
  test('waits for its turn', async () => {
    const { write, calls } = writing(conflict, conflict, conflict);
    expect(await retryOnConflict(write)).toBe('written');
    expect(calls()).toBe(4);
  });

  test('still fails its condition', async () => {
    const { write, calls } = writing(conflict, lost);
    expect(await retryOnConflict(() => tryConditionalWrite(write()))).toBe(false);
    expect(calls()).toBe(2);
  });

  test('fails in the end, and immediately for other errors', async () => {
    const always = writing(...Array.from({ length: 50 }, () => conflict));
    await expect(retryOnConflict(always.write)).rejects.toBe(conflict);
    expect(always.calls()).toBe(40);
    const other = writing(new Error('other'));
    await expect(retryOnConflict(other.write)).rejects.toThrow('other');
    expect(other.calls()).toBe(1);
  });
});
