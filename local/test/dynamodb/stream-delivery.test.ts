import { describe, expect, test } from '@jest/globals';
import { StreamDelivery } from '../../dynamodb/stream-delivery.ts';
import { parseStreamSource, matchesPattern, parsePattern } from '../../dynamodb/stream-source.ts';
import type { StreamRecord } from '../../dynamodb/stream-reader.ts';
import type { InvokeResult } from '../../lambda/invoke-result.ts';

function aRecord(number: number, change: Partial<StreamRecord> = {}): StreamRecord {
  return {
    eventID: String(number),
    eventName: 'REMOVE',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'us-east-1',
    dynamodb: {
      Keys: { pk: { S: String(number) } },
      SequenceNumber: String(number),
      ApproximateCreationDateTime: Date.now() / 1000,
    },
    ...change,
  };
}

function aSource(properties = {}) {
  return parseStreamSource({
    stack: 'Stack',
    logicalId: 'Mapping',
    type: 'AWS::Lambda::EventSourceMapping',
    properties: {
      EventSourceArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/items/stream/x',
      FunctionName: 'fn',
      StartingPosition: 'TRIM_HORIZON',
      ...properties,
    },
  });
}

const processed: InvokeResult = { ok: true, payload: null, requestId: 'r' };
const failed: InvokeResult = { ok: false, errorType: 'Error', errorMessage: 'no' };

interface Outcome {
  batches: string[][];
  queue: unknown[];
  committed: string[];
}

/** Delivers records to a function that answers each call by what it was given. */
async function deliver(
  records: StreamRecord[],
  properties: object,
  answer: (ids: string[], call: number) => InvokeResult,
): Promise<Outcome> {
  const outcome: Outcome = { batches: [], queue: [], committed: [] };
  let unread = [records];
  const delivery = new StreamDelivery(aSource(properties), {
    reader: {
      read: async () => unread.shift() ?? [],
      commit: (done) => outcome.committed.push(...done.map(({ eventID }) => eventID)),
    },
    invoke: async (event) => {
      const ids = (event as { Records: StreamRecord[] }).Records.map(({ eventID }) => eventID);
      outcome.batches.push(ids);
      return answer(ids, outcome.batches.length);
    },
    sendToQueue: (_, message) => outcome.queue.push(message),
    log: () => undefined,
    retryDelayMs: 1,
  });
  await delivery.run();
  unread = [];
  return outcome;
}

describe('delivery', () => {
  test('delivers records that match the filter and commits the others', async () => {
    const ttl = { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } };
    const Pattern = '{"userIdentity":{"type":["Service"]}}';
    const records = [aRecord(1), aRecord(2, ttl), aRecord(3)];
    const outcome = await deliver(
      records,
      { FilterCriteria: { Filters: [{ Pattern }] } },
      () => processed,
    );
    expect(outcome).toEqual({ batches: [['2']], queue: [], committed: ['1', '2', '3'] });
  });

  test('retries a failed batch and then sends it to the failure queue', async () => {
    const properties = {
      MaximumRetryAttempts: 2,
      DestinationConfig: { OnFailure: { Destination: 'queue' } },
    };
    const outcome = await deliver([aRecord(1)], properties, () => failed);
    expect(outcome.batches).toEqual([['1'], ['1'], ['1']]);
    expect(outcome.queue).toMatchObject([
      { reason: 'RetryAttemptsExhausted', records: [{ eventID: '1' }] },
    ]);
    expect(outcome.committed).toEqual(['1']);
  });

  test('is not repeated once it has succeeded', async () => {
    const outcome = await deliver([aRecord(1)], {}, (_, call) => (call < 3 ? failed : processed));
    expect(outcome).toMatchObject({ batches: [['1'], ['1'], ['1']], queue: [] });
  });

  test('splits a failed batch until the bad record is alone', async () => {
    const records = [1, 2, 3, 4].map((number) => aRecord(number));
    const properties = { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 3 };
    const outcome = await deliver(records, properties, (ids) =>
      ids.includes('3') ? failed : processed,
    );
    expect(outcome.batches).toEqual([
      ['1', '2', '3', '4'],
      ['1', '2'],
      ['3', '4'],
      ['3'],
      ['3'],
      ['4'],
    ]);
  });

  test('continues at the first record that the function reports', async () => {
    const properties = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
    const records = [1, 2, 3].map((number) => aRecord(number));
    const outcome = await deliver(records, properties, (_, call) =>
      call === 1
        ? { ...processed, payload: { batchItemFailures: [{ itemIdentifier: '2' }] } }
        : processed,
    );
    expect(outcome.batches).toEqual([
      ['1', '2', '3'],
      ['2', '3'],
    ]);
  });

  test('discards records that are too old', async () => {
    const old = aRecord(1);
    old.dynamodb.ApproximateCreationDateTime -= 100;
    const outcome = await deliver([old], { MaximumRecordAgeInSeconds: 60 }, () => processed);
    expect(outcome).toMatchObject({ batches: [], committed: ['1'] });
  });
});

test.each<[string, object, RegExp]>([
  ['a property', { TumblingWindowInSeconds: 5 }, /TumblingWindowInSeconds/],
  [
    'another kind of source',
    { EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:q' },
    /stream of a table/,
  ],
  [
    'a filter rule',
    { FilterCriteria: { Filters: [{ Pattern: '{"a":[{"numeric":[">",1]}]}' }] } },
    /numeric/,
  ],
])('a mapping with unknown %s stops the start', (_, properties, message) => {
  expect(() => aSource(properties)).toThrow(message);
});

test.each<[boolean, string, unknown]>([
  [true, '{"a":["x","y"]}', { a: 'y' }],
  [false, '{"a":["x"]}', { a: 'y' }],
  [false, '{"a":["x"]}', {}],
  [true, '{"a":{"b":["x"]}}', { a: { b: 'x' } }],
  [false, '{"a":{"b":["x"]}}', { a: 'x' }],
  [false, '{"a":["x"],"b":["y"]}', { a: 'x' }],
  [true, '{"a":[{"prefix":"PROJECT#"}]}', { a: 'PROJECT#1' }],
  [false, '{"a":[{"prefix":"PROJECT#"}]}', { a: 'LANE#1' }],
])('%s: %s against %j', (expected, pattern, record) => {
  expect(matchesPattern(parsePattern(pattern), record)).toBe(expected);
});
