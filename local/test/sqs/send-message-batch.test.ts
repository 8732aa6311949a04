import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { QueueUrl, MIB, start } from './a-running-sqs.ts';

describe('SendMessageBatch', () => {
  const batch = (...entries: object[]) =>
    new SendMessageBatchCommand({
      QueueUrl,
      Entries: entries as { Id: string; MessageBody: string }[],
    });
  const entry = (Id: string, MessageBody = Id) => ({ Id, MessageBody });

  test('accepts valid entries and reports invalid ones', async () => {
    const { client, queue, calls } = await start();
    const answer = await client.send(batch(entry('a'), entry('b', '\u0001'), entry('c')));
    expect(answer.Successful?.map(({ Id }) => Id)).toEqual(['a', 'c']);
    expect(answer.Failed).toMatchObject([{ Id: 'b', SenderFault: true }]);
    expect(queue.messages().map(({ body }) => body)).toEqual(['a', 'c']);
    expect(calls).toEqual(['SendMessageBatch jobs']);
  });

  test.each<[string, object[], string]>([
    ['nothing', [], 'EmptyBatchRequest'],
    [
      'eleven messages',
      Array.from({ length: 11 }, (_, n) => entry(`m${n}`)),
      'TooManyEntriesInBatchRequest',
    ],
    ['the same id twice', [entry('a'), entry('a')], 'BatchEntryIdsNotDistinct'],
    ['an id with a space', [entry('a b')], 'InvalidBatchEntryId'],
    [
      'more than a message may hold, together',
      [entry('a', 'a'.repeat(MIB / 2)), entry('b', 'b'.repeat(MIB / 2 + 1))],
      'BatchRequestTooLong',
    ],
  ])('refuses %s', async (_, entries, name) => {
    const { client, queue } = await start();
    await expect(client.send(batch(...entries))).rejects.toMatchObject({ name });
    expect(queue.messages()).toEqual([]);
  });
});
