import { describe, expect, test } from '@jest/globals';
import { aMessage, queueNamed } from './a-queue.ts';
import { start, processed } from './a-delivery.ts';

describe('deliveries at the same time', () => {
  test('has as many batches in progress as the mapping allows, and no more', async () => {
    let now = 0;
    let most = 0;
    const { jobs, sources, bodies } = await start({
      mapping: { BatchSize: 1, ScalingConfig: { MaximumConcurrency: 3 } },
      answer: async () => {
        now += 1;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 10));
        now -= 1;
        return processed;
      },
    });
    for (let count = 0; count < 10; count += 1) jobs.send(aMessage(String(count)));
    await sources.runQueues();
    expect(bodies()).toHaveLength(10);
    expect(most).toBe(3);
  });

  test('waits for messages that a delivery sends', async () => {
    const { jobs, sources, bodies } = await start({
      answer: async (records) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (records[0]?.body === 'first') jobs.send(aMessage('second'));
        return processed;
      },
    });
    jobs.send(aMessage('first'));
    await sources.runQueues();
    expect(bodies()).toEqual([['first'], ['second']]);
    expect(jobs.messages()).toEqual([]);
  });

  test('waits for messages that deliveries send to each other', async () => {
    const { jobs, queues, sources, bodies } = await start({
      alsoDead: true,
      answer: async (records) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (records[0]?.body === 'first') queueNamed(queues, 'dead').send(aMessage('second'));
        return processed;
      },
    });
    jobs.send(aMessage('first'));
    await sources.runQueues();
    expect(bodies()).toEqual([['first'], ['second']]);
    expect(Object.values(queues.bodies())).toEqual([[], []]);
  });
});
