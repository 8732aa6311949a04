import { expect, test } from '@jest/globals';
import { arnOfQueue } from './a-queue.ts';
import { READ, type Setup, start } from './a-delivery.ts';

test.each<[string, Setup, RegExp]>([
  ...READ.map((missing): [string, Setup, RegExp] => [
    `a role without ${missing}`,
    { actions: READ.filter((action) => action !== missing) },
    new RegExp(`does not allow ${missing} on the queue`),
  ]),
  [
    'a visibility timeout shorter than the function may run',
    { queue: { VisibilityTimeout: 59 }, timeout: 60 },
    /visibility timeout of 59 seconds is less than the function's timeout of 60 seconds/,
  ],
  ['an unknown queue', { mapping: { EventSourceArn: arnOfQueue('none') } }, /none is not a queue/],
  ['an unknown function', { mapping: { FunctionName: 'nobody' } }, /no function nobody/],
  ['an unknown property', { mapping: { FilterCriteria: {} } }, /FilterCriteria/],
  [
    'a concurrency of one',
    { mapping: { ScalingConfig: { MaximumConcurrency: 1 } } },
    /MaximumConcurrency/,
  ],
  ['a batch of 11 without a window', { mapping: { BatchSize: 11 } }, /MaximumBatchingWindow/],
])('%s stops the start', async (_, setup, message) => {
  await expect(start(setup)).rejects.toThrow(message);
});

test('a visibility timeout equal to the function’s timeout is enough', async () => {
  await expect(start({ queue: { VisibilityTimeout: 60 }, timeout: 60 })).resolves.toBeDefined();
});
