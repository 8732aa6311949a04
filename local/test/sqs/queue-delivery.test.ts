import { describe, expect, test } from '@jest/globals';
import { startEventSources } from '../../functions/event-sources.ts';
import { anIam } from '../an-iam.ts';
import { aMessage, aQueue, arnOfQueue, queueNamed, someQueues } from './a-queue.ts';
import {
  READ,
  aFunction,
  aMapping,
  type Answer,
  failed,
  type Record,
  running,
  start,
  processed,
  until,
} from './a-delivery.ts';

describe('delivery', () => {
  test('delivers a message immediately, in the format of Lambda, and then deletes it', async () => {
    const { jobs, bodies, batches } = await start({});
    const { id, sentAt } = jobs.send(aMessage('a'));
    await until(() => jobs.messages().length === 0);
    expect(jobs.messages()).toEqual([]);
    expect(bodies()).toEqual([['a']]);
    expect(batches[0]).toEqual([
      {
        messageId: id,
        receiptHandle: expect.stringMatching(/^[\w+/=]{20,}$/),
        body: 'a',
        attributes: {
          ApproximateReceiveCount: '1',
          SentTimestamp: String(Date.parse(sentAt)),
          SenderId: 'Role:fn',
          ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        },
        messageAttributes: {},
        md5OfBody: '0cc175b9c0f1b6a831c399e269772661',
        eventSource: 'aws:sqs',
        eventSourceARN: arnOfQueue('jobs'),
        awsRegion: 'us-east-1',
      },
    ]);
  });

  test('delivers messages from an earlier start', async () => {
    const { queues, clock } = someQueues(aQueue('jobs'));
    queueNamed(queues, 'jobs').send(aMessage('a'));
    const bodies: string[] = [];
    const sources = await startEventSources({
      resources: [aQueue('jobs'), aFunction(), aMapping()],
      dynamoDb: { streamReader: async () => ({ read: async () => [], commit: () => undefined }) },
      iam: anIam(READ).iam,
      queues,
      clock,
      invoke: async (_, event) => {
        bodies.push(...(event as { Records: Record[] }).Records.map(({ body }) => body));
        return processed;
      },
      log: () => undefined,
    });
    running.push(sources);
    await until(() => bodies.length > 0);
    expect(bodies).toEqual(['a']);
  });

  test('puts no more messages into a batch than the mapping allows', async () => {
    const { jobs, sources, bodies } = await start({ mapping: { BatchSize: 2 } });
    for (const body of ['a', 'b', 'c']) jobs.send(aMessage(body));
    await sources.runQueues();
    expect(bodies()).toEqual([['a', 'b'], ['c']]);
  });

  test('collects what follows a first message within the batching window for one batch', async () => {
    const { jobs, sources, bodies } = await start({
      mapping: { BatchSize: 20, MaximumBatchingWindowInSeconds: 300 },
    });
    jobs.send(aMessage('first'));
    await until(() => jobs.messages().length === 0);
    for (const body of ['a', 'b', 'c']) {
      jobs.send(aMessage(body));
      await new Promise(setImmediate);
    }
    expect(bodies()).toEqual([['first']]);
    await sources.runQueues();
    expect(bodies()).toEqual([['first'], ['a', 'b', 'c']]);
  });

  test('delivers a full batch before the batching window ends, and the rest after it', async () => {
    const { jobs, bodies } = await start({
      mapping: { BatchSize: 2, MaximumBatchingWindowInSeconds: 1 },
    });
    jobs.send(aMessage('first'));
    await until(() => jobs.messages().length === 0);
    for (const body of ['a', 'b', 'c']) jobs.send(aMessage(body));
    await until(() => bodies().length === 2);
    expect(bodies()).toEqual([['first'], ['a', 'b']]);
    await until(() => jobs.messages().length === 0);
    expect(bodies()).toEqual([['first'], ['a', 'b'], ['c']]);
  });

  test('delivers a failed message again after the visibility timeout, and not before', async () => {
    const { jobs, sources, bodies, batches, clock, logged } = await start({
      queue: { VisibilityTimeout: 60 },
      answer: (_, call) => (call === 1 ? failed : processed),
    });
    jobs.send(aMessage('a'));
    await sources.runQueues();
    clock.advance(59_000);
    await sources.runQueues();
    expect(bodies()).toEqual([['a']]);
    expect(logged).toEqual(['Mapping: Error: no']);
    clock.advance(1000);
    await sources.runQueues();
    expect(bodies()).toEqual([['a'], ['a']]);
    expect(batches[1]?.[0]?.attributes).toMatchObject({ ApproximateReceiveCount: '2' });
    expect(jobs.messages()).toEqual([]);
  });

  test('polls by itself when a visibility timeout or a delay ends', async () => {
    const { jobs, bodies } = await start({
      queue: { VisibilityTimeout: 1 },
      timeout: 1,
      answer: (_, call) => (call === 1 ? failed : processed),
    });
    jobs.send(aMessage('a'));
    const waitedMs = await until(() => jobs.messages().length === 0);
    expect(waitedMs).toBeGreaterThan(900);
    expect(waitedMs).toBeLessThan(1500);
    expect(bodies()).toEqual([['a'], ['a']]);
  });

  test('discards a message that always fails', async () => {
    const { jobs, queues, sources, bodies, clock } = await start({
      queue: {
        RedrivePolicy: { deadLetterTargetArn: arnOfQueue('dead'), maxReceiveCount: 3 },
      },
      answer: () => failed,
    });
    jobs.send(aMessage('bad'));
    for (let hour = 0; hour < 6; hour += 1) {
      await sources.runQueues();
      clock.advance(3_600_000);
    }
    expect(bodies()).toEqual([['bad'], ['bad'], ['bad']]);
    expect(queues.bodies()).toEqual({
      [arnOfQueue('jobs')]: [],
      [arnOfQueue('dead')]: ['bad'],
    });
  });

  const report = (...ids: unknown[]) => ({
    ...processed,
    payload: { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) },
  });
  test.each<[string, object, Answer, string[]]>([
    ['nothing when all succeeded', {}, () => processed, []],
    ['all when the function failed', {}, () => failed, ['a', 'b', 'c']],
    ['what the function reports', {}, ([, b]) => report(b?.messageId), ['b']],
    ['nothing when an empty list is reported', {}, () => report(), []],
    [
      'nothing for a null list',
      {},
      () => ({ ...processed, payload: { batchItemFailures: null } }),
      [],
    ],
    ['all for an unknown id', {}, ([a]) => report(a?.messageId, 'x'), ['a', 'b', 'c']],
    ['all for an empty id', {}, () => report(''), ['a', 'b', 'c']],
    ['all for a null id', {}, () => report(null), ['a', 'b', 'c']],
    [
      'all for a wrong key',
      {},
      ([a]) => ({ ...processed, payload: { batchItemFailures: [{ id: a?.messageId }] } }),
      ['a', 'b', 'c'],
    ],
    [
      'nothing of a report that the mapping did not ask for',
      { FunctionResponseTypes: [] },
      ([a]) => report(a?.messageId),
      [],
    ],
  ])('keeps %s', async (_, mapping, answer, kept) => {
    const { jobs, sources } = await start({
      mapping: { FunctionResponseTypes: ['ReportBatchItemFailures'], ...mapping },
      answer,
    });
    for (const body of ['a', 'b', 'c']) jobs.send(aMessage(body));
    await sources.runQueues();
    expect(jobs.messages().map(({ body }) => body)).toEqual(kept);
  });

  test('does nothing after it is closed', async () => {
    const { jobs, sources, bodies } = await start({});
    sources.close();
    jobs.send(aMessage('a'));
    await sources.runQueues();
    expect(bodies()).toEqual([]);
  });
});
