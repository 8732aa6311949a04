import { describe, expect, test } from '@jest/globals';
import type { Queue } from '../../sqs/queue.ts';
import { aMessage, aQueue, arnOfQueue, queueNamed, someQueues } from './a-queue.ts';

const MIB = 1_048_576;

function receive(queue: Queue, messages = 10): string[] {
  return queue.receive({ messages, bytes: MIB }).map(({ body }) => body);
}

/** Receives messages as a consumer that fails, so they go back to the queue. */
function fail(queue: Queue): string[] {
  const batch = queue.receive({ messages: 10, bytes: MIB });
  for (const { id } of batch) queue.release(id);
  return batch.map(({ body }) => body);
}

describe('a queue', () => {
  test('lets a group that keeps it busy wait for other groups', () => {
    const queue = queueNamed(someQueues(aQueue('jobs')).queues, 'jobs');
    const send = (groupId: string, body: string) => queue.send({ ...aMessage(body), groupId });
    for (const body of ['a1', 'a2', 'a3', 'a4']) send('a', body);
    expect(receive(queue, 1)).toEqual(['a1']);
    send('b', 'b1');
    expect(receive(queue, 1)).toEqual(['b1']);
    expect(receive(queue, 2)).toEqual(['a2', 'a3']);
    send('c', 'c1');
    queue.send(aMessage('of nobody'));
    expect(receive(queue)).toEqual(['c1', 'of nobody', 'a4']);
  });

  test('hides a message that was sent with a delay until that has passed, also after a restart', () => {
    const { queues, clock, again } = someQueues(aQueue('jobs'));
    const queue = queueNamed(queues, 'jobs');
    queue.send({ ...aMessage('late'), delaySeconds: 60 });
    queue.send(aMessage('now'));
    expect(receive(queue)).toEqual(['now']);
    clock.advance(59_000);
    expect(queue.hasVisible()).toBe(false);
    clock.advance(1000);
    expect(receive(queue)).toEqual(['late']);
    const restarted = again();
    queueNamed(restarted.queues, 'jobs').send({ ...aMessage('later'), delaySeconds: 900 });
    const last = again();
    last.clock.advance(800_000);
    expect(receive(queueNamed(last.queues, 'jobs'))).not.toContain('later');
  });

  test('hides a received message until the visibility timeout has passed', () => {
    const { queues, clock } = someQueues(aQueue('jobs', { VisibilityTimeout: 60 }));
    const queue = queueNamed(queues, 'jobs');
    queue.send(aMessage('a'));
    expect(fail(queue)).toEqual(['a']);
    clock.advance(59_000);
    expect(fail(queue)).toEqual([]);
    clock.advance(1000);
    expect(fail(queue)).toEqual(['a']);
    expect(queue.messages()).toMatchObject([{ receiveCount: 2 }]);
  });

  test('never shows a message in flight, even if the clock moves far ahead', () => {
    const { queues, clock } = someQueues(aQueue('jobs', { VisibilityTimeout: 60 }));
    const queue = queueNamed(queues, 'jobs');
    const { id } = queue.send(aMessage('a'));
    receive(queue);
    clock.advance(3_600_000);
    expect(receive(queue)).toEqual([]);
    expect(queue.hasVisible()).toBe(false);
    queue.release(id);
    expect(receive(queue)).toEqual(['a']);
  });

  test('removes deleted messages, also on disk', () => {
    const { queues, again } = someQueues(aQueue('jobs'));
    const queue = queueNamed(queues, 'jobs');
    const { id } = queue.send(aMessage('a'));
    queue.send(aMessage('b'));
    queue.delete(id);
    expect(queue.messages().map(({ body }) => body)).toEqual(['b']);
    expect(again().queues.bodies()).toEqual({ [arnOfQueue('jobs')]: ['b'] });
  });

  test('keeps messages, their counts and their visibility after a restart', () => {
    const { queues, again } = someQueues(aQueue('jobs', { VisibilityTimeout: 60 }));
    const queue = queueNamed(queues, 'jobs');
    queue.send(aMessage('taken'));
    receive(queue);
    queue.send(aMessage('waiting'));
    const next = again();
    const later = queueNamed(next.queues, 'jobs');
    expect(receive(later)).toEqual(['waiting']);
    next.clock.advance(60_000);
    expect(receive(later)).toEqual(['taken']);
    const received = later.messages().find(({ body }) => body === 'taken');
    expect(received?.receiveCount).toBe(2);
  });

  test('hides no message longer than its timeout if the clock of the last start was ahead', () => {
    const { queues, clock, again } = someQueues(aQueue('jobs', { VisibilityTimeout: 60 }));
    clock.advance(86_400_000);
    const queue = queueNamed(queues, 'jobs');
    queue.send(aMessage('taken'));
    receive(queue);
    queue.send(aMessage('waiting'));
    const next = again();
    const later = queueNamed(next.queues, 'jobs');
    expect(receive(later)).toEqual(['waiting']);
    next.clock.advance(60_000);
    expect(receive(later)).toEqual(['taken']);
  });

  test('drops messages older than the retention period', () => {
    const { queues, clock, again } = someQueues(aQueue('jobs', { MessageRetentionPeriod: 60 }));
    const queue = queueNamed(queues, 'jobs');
    queue.send(aMessage('a'));
    clock.advance(59_000);
    expect(queue.messages()).toHaveLength(1);
    clock.advance(1000);
    expect(receive(queue)).toEqual([]);
    expect(Object.values(again().queues.bodies())).toEqual([[]]);
  });

  test('returns no more messages or bytes than requested', () => {
    const { queues } = someQueues(aQueue('jobs'));
    const queue = queueNamed(queues, 'jobs');
    for (const body of ['aaa', 'bbb', 'ccc', 'ddd']) queue.send(aMessage(body));
    expect(receive(queue, 1)).toEqual(['aaa']);
    expect(queue.receive({ messages: 10, bytes: 6 })).toHaveLength(2);
    expect(queue.receive({ messages: 10, bytes: 1 })).toHaveLength(1);
  });

  test('returns when the next message becomes visible', () => {
    const { queues, clock } = someQueues(aQueue('jobs', { VisibilityTimeout: 30 }));
    const queue = queueNamed(queues, 'jobs');
    expect(queue.nextVisibleAt()).toBeUndefined();
    queue.send(aMessage('a'));
    fail(queue);
    const inMs = () => (queue.nextVisibleAt()?.getTime() ?? 0) - clock.now().getTime();
    expect(inMs()).toBeGreaterThan(29_000);
    expect(inMs()).toBeLessThanOrEqual(30_000);
    queue.send(aMessage('b'));
    expect(inMs()).toBeLessThanOrEqual(0);
  });
});

test('a message that was received too often goes to the dead letter queue', () => {
  const { queues, clock, again } = someQueues(
    aQueue('jobs', {
      VisibilityTimeout: 60,
      RedrivePolicy: { deadLetterTargetArn: arnOfQueue('dead'), maxReceiveCount: 2 },
    }),
    aQueue('dead'),
  );
  const queue = queueNamed(queues, 'jobs');
  const { id, sentAt } = queue.send(aMessage('bad'));
  for (const expected of [['bad'], ['bad'], []]) {
    expect(fail(queue)).toEqual(expected);
    clock.advance(60_000);
  }
  expect(queue.messages()).toEqual([]);
  expect(queueNamed(queues, 'dead').messages()).toMatchObject([
    { id, sentAt, body: 'bad', receiveCount: 0, deadLetterSourceArn: arnOfQueue('jobs') },
  ]);
  expect(again().queues.bodies()).toEqual({
    [arnOfQueue('jobs')]: [],
    [arnOfQueue('dead')]: ['bad'],
  });
});

test('the state shows JSON bodies parsed', () => {
  const { queues } = someQueues(aQueue('jobs'));
  queueNamed(queues, 'jobs').send(aMessage('{"a":1}'));
  expect(queues.bodies()).toEqual({ [arnOfQueue('jobs')]: [{ a: 1 }] });
});

test.each<[string, object, RegExp]>([
  ['a property that is not understood', { FifoQueue: true }, /FifoQueue/],
  ['a visibility timeout of a day', { VisibilityTimeout: 86_400 }, /VisibilityTimeout/],
  [
    'a dead letter queue that is not there',
    { RedrivePolicy: { deadLetterTargetArn: arnOfQueue('none'), maxReceiveCount: 3 } },
    /dead letter target .*none/,
  ],
])('%s stops the start', (_, properties, message) => {
  expect(() => someQueues(aQueue('jobs', properties))).toThrow(message);
});
