import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { CodedError } from '../../core/errors.ts';
import {
  type IdempotencyDeps,
  runIdempotent,
  type IdempotentRequest,
} from '../../core/idempotency/run-idempotent.ts';
import type { StoredResponse } from '../../core/idempotency/response-store.ts';
import { aLocalDynamoDb, tableResource } from '../../local/test/dynamodb/a-local-dynamodb.ts';
import type { RotatingSecret } from '../../core/secrets/rotating-secret.ts';
import { fixedSecret } from '../fixtures/fixed-secret.ts';

const table = {
  ...tableResource,
  properties: {
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
  },
};

let dynamo: Awaited<ReturnType<typeof aLocalDynamoDb>>;
beforeAll(async () => {
  dynamo = await aLocalDynamoDb(
    [{ actions: ['PutItem', 'GetItem', 'UpdateItem', 'DeleteItem', 'Scan'] }],
    {
      table,
    },
  );
});
afterAll(() => dynamo.close());

const start = new Date('2026-11-21T09:00:00.000Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const deps = (more: Partial<IdempotencyDeps> = {}): IdempotencyDeps => ({
  responses: idempotencyTable(DynamoDBDocumentClient.from(dynamo.client), 'items'),
  secret: fixedSecret('a-secret-of-the-service'),
  now: () => start,
  remainingMs: () => 10_000,
  onFailure: (error) => {
    throw error;
  },
  ...more,
});
const aRequest = (more: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  operation: 'createThing',
  scope: 'account-1',
  key: randomUUID(),
  input: { title: 'One' },
  ...more,
});
const made = (body: string = randomUUID(), status = 201): StoredResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
});

/** Work that counts how often it runs. */
function counted(respond: () => StoredResponse | Promise<StoredResponse> = () => made()) {
  const runs = { count: 0 };
  const work = async () => {
    runs.count += 1;
    return respond();
  };
  return { runs, work };
}

describe('the same request again', () => {
  test('gets the same response, and the work ran once', async () => {
    const request = aRequest();
    const { runs, work } = counted();
    const first = await runIdempotent(deps(), request, work);
    const again = await runIdempotent(deps({ now: () => after(86_399) }), request, work);
    expect(first.replayed).toBe(false);
    expect(again).toEqual({ response: first.response, replayed: true });
    expect(runs.count).toBe(1);
  });

  test('runs again after 24 hours', async () => {
    const request = aRequest();
    const { runs, work } = counted();
    await runIdempotent(deps(), request, work);
    const again = await runIdempotent(deps({ now: () => after(86_400) }), request, work);
    expect([again.replayed, runs.count]).toEqual([false, 2]);
  });

  test('ten concurrent calls run it once, and nine get its response later', async () => {
    const request = aRequest();
    const { runs, work } = counted(async () => {
      await sleep(150);
      return made();
    });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => runIdempotent(deps(), request, work)),
    );
    expect(runs.count).toBe(1);
    expect(new Set(outcomes.map(({ response }) => response.body)).size).toBe(1);
    expect(outcomes.filter(({ replayed }) => replayed)).toHaveLength(9);
  });

  test('with its fields in another order is the same', async () => {
    const request = aRequest({ input: { a: 1, b: { c: 2, d: 3 } } });
    await runIdempotent(deps(), request, counted().work);
    const turned = { ...request, input: { b: { d: 3, c: 2 }, a: 1 } };
    expect((await runIdempotent(deps(), turned, counted().work)).replayed).toBe(true);
  });
});

describe('another request with the same key', () => {
  const file = (text: string) => ({ files: [{ name: 'a.txt', bytes: Buffer.from(text) }] });

  test.each([
    ['another field', { title: 'One' }, { title: 'Two' }],
    ['a field more', { title: 'One' }, { title: 'One', slug: 'one' }],
    ['other bytes of a file', file('one'), file('two')],
    ['other bytes of a file that is no Buffer', { b: Uint8Array.of(1) }, { b: Uint8Array.of(2) }],
    ['a text in the place of a number', { a: 1 }, { a: '1' }],
    ['a list in another order', { a: [1, 2] }, { a: [2, 1] }],
  ])('with %s is refused, and nothing runs', async (_, input, other) => {
    const request = aRequest({ input });
    await runIdempotent(deps(), request, counted().work);
    const { runs, work } = counted();
    const refusal = runIdempotent(deps(), { ...request, input: other }, work);
    await expect(refusal).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(runs.count).toBe(0);
  });

  test('at another operation is refused', async () => {
    const request = aRequest();
    await runIdempotent(deps(), request, counted().work);
    const other = runIdempotent(deps(), { ...request, operation: 'deleteThing' }, counted().work);
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  });

  test('of another caller is independent', async () => {
    const request = aRequest();
    await runIdempotent(deps(), request, counted().work);
    const more = await runIdempotent(deps(), { ...request, scope: 'account-2' }, counted().work);
    expect(more.replayed).toBe(false);
  });
});

describe('a response', () => {
  test.each([400, 403, 404, 409, 413, 422])('%i is replayed', async (status) => {
    const request = aRequest();
    await runIdempotent(deps(), request, async () => made('first', status));
    const again = await runIdempotent(deps(), request, async () => made('second'));
    expect(again).toMatchObject({ response: { status, body: 'first' }, replayed: true });
  });

  test.each(['UPLOAD_INCOMPLETE', 'PROJECT_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED'])(
    '%s is not: the caller can correct the cause, and the same request then runs',
    async (code) => {
      const request = aRequest();
      const body = JSON.stringify({ status: 'error', code });
      await runIdempotent(deps(), request, async () => made(body, 409));
      const again = await runIdempotent(deps(), request, async () => made('second'));
      expect(again).toMatchObject({ response: { body: 'second' }, replayed: false });
    },
  );

  test.each([401, 429, 500, 503])('%i is not: the next attempt runs', async (status) => {
    const request = aRequest();
    await runIdempotent(deps(), request, async () => made('first', status));
    const again = await runIdempotent(deps(), request, async () => made('second'));
    expect(again).toMatchObject({ response: { body: 'second' }, replayed: false });
  });

  test.each([
    [300, true],
    [2000, false],
  ])(
    'of %i random names of an operation that changes nothing is replayed: %s',
    async (count, replayed) => {
      const request = aRequest({ changesNothing: true });
      const text = Array.from({ length: count }, () => randomUUID()).join('');
      const { runs, work } = counted(() => made(text));
      expect((await runIdempotent(deps(), request, work)).response.body).toBe(text);
      expect(await runIdempotent(deps(), request, work)).toMatchObject({ replayed });
      expect(runs.count).toBe(replayed ? 1 : 2);
    },
  );

  test.each([
    [10, true],
    [11, false],
  ])('of %i bytes is kept where ten are the most: %s', async (bytes, replayed) => {
    const request = aRequest({ maxBodyBytes: 10 });
    const { work } = counted(() => made('a'.repeat(bytes)));
    await runIdempotent(deps(), request, work);
    expect(await runIdempotent(deps(), request, work)).toMatchObject({ replayed });
  });

  test('too large for DynamoDB is returned but not replayed', async () => {
    const request = aRequest();
    const large = Array.from({ length: 40_000 }, () => randomUUID()).join('');
    const { runs, work } = counted(() => made(large));
    expect((await runIdempotent(deps(), request, work)).response.body).toBe(large);
    expect((await runIdempotent(deps(), request, work)).replayed).toBe(false);
    expect(runs.count).toBe(2);
  });

  test('is not stored if the work throws, and the next attempt runs', async () => {
    const request = aRequest();
    const fails = () => Promise.reject(new Error('broken'));
    await expect(runIdempotent(deps(), request, fails)).rejects.toThrow('broken');
    expect((await runIdempotent(deps(), request, counted().work)).replayed).toBe(false);
  });

  test('is stored encrypted: the table reveals neither it, nor the key, nor the request', async () => {
    const key = `key-${randomUUID()}`;
    await runIdempotent(deps(), aRequest({ key, input: { code: '123456' } }), async () =>
      made('sw_live_secret'),
    );
    const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: 'items' }));
    const all = Items.map((item) =>
      Object.values(item).map(({ S = '', B }) => `${S}${Buffer.from(B ?? []).toString('latin1')}`),
    ).join();
    expect(all).toContain('idempotency#');
    for (const secret of [key, '123456', 'sw_live_secret', 'account-1']) {
      expect(all).not.toContain(secret);
    }
  });
});

describe('a holder that crashed', () => {
  /** A request that begins and never ends. */
  async function crash(request: IdempotentRequest): Promise<void> {
    await new Promise<void>((begun) => {
      void runIdempotent(deps(), request, () => new Promise(() => begun()));
    });
  }

  test('loses the row after sixty seconds to the same request only', async () => {
    const request = aRequest();
    await crash(request);
    const late = deps({ now: () => after(60) });
    const other = runIdempotent(late, { ...request, input: { title: 'Two' } }, counted().work);
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    const next = await runIdempotent(late, request, counted().work);
    expect(next.replayed).toBe(false);
  });

  test('keeps others waiting, who get a time to retry before their timeout', async () => {
    const request = aRequest();
    await crash(request);
    const begun = Date.now();
    const soon = deps({
      now: () => after(59),
      remainingMs: () => 4500 - (Date.now() - begun),
    });
    const refusal = await runIdempotent(soon, request, counted().work).catch((error) => error);
    expect(refusal).toBeInstanceOf(CodedError);
    expect(refusal.body).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds: 1 });
    expect(refusal.body.nextStep).toContain('same key');
  });

  test('that finishes late does not change the response of the next one', async () => {
    const request = aRequest();
    let finish: (response: StoredResponse) => void = () => undefined;
    let late: ReturnType<typeof runIdempotent> | undefined;
    await new Promise<void>((begun) => {
      late = runIdempotent(deps(), request, () => {
        begun();
        return new Promise((resolve) => (finish = resolve));
      });
    });
    await runIdempotent(deps({ now: () => after(61) }), request, async () => made('next'));
    finish(made('late'));
    expect((await late)?.response.body).toBe('late');
    const again = await runIdempotent(deps({ now: () => after(62) }), request, counted().work);
    expect(again).toMatchObject({ response: { body: 'next' }, replayed: true });
  });
});

describe('while the secret is replaced', () => {
  const before: RotatingSecret = { current: 'one', accepted: ['one', 'two'] };
  const after: RotatingSecret = { current: 'two', accepted: ['two', 'one'] };
  const later: RotatingSecret = { current: 'three', accepted: ['three', 'two'] };

  test('an earlier response is replayed, and is gone after the second rotation', async () => {
    const request = aRequest();
    const { work, runs } = counted();
    const first = await runIdempotent(deps({ secret: before }), request, work);
    expect(await runIdempotent(deps({ secret: after }), request, work)).toEqual({
      response: first.response,
      replayed: true,
    });
    expect(runs.count).toBe(1);
    await runIdempotent(deps({ secret: later }), request, work);
    expect(runs.count).toBe(2);
    const other = { ...request, input: { title: 'Two' } };
    await expect(runIdempotent(deps({ secret: after }), other, work)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
  });

  test('of many concurrent calls in functions with different values, one runs', async () => {
    for (let round = 0; round < 5; round += 1) {
      const request = aRequest();
      const { work, runs } = counted();
      const both = [before, after, before, after, after, before];
      const outcomes = await Promise.all(
        both.map((secret) =>
          runIdempotent(deps({ secret, remainingMs: () => 100_000 }), request, work),
        ),
      );
      expect(new Set(outcomes.map(({ response }) => response.body)).size).toBe(1);
      expect(runs.count).toBe(1);
    }
  });
});
