import { describe, expect, test } from '@jest/globals';
import {
  exists,
  hasRevision,
  nullsRemoved,
  put,
  update,
} from '../../../../adapters/dynamodb/writes.ts';

const key = { pk: 'a', sk: 'b' };

describe('an update', () => {
  test('names all attributes and values that its texts have, and no others', () => {
    const { Update } = update('rows', key, {
      set: { ttl: 7, title: undefined },
      setOnce: { since: 'now' },
      add: { count: 1 },
      takeOut: { packs: new Set(['x']) },
      remove: ['gone'],
      when: '#state = :from AND ttl < :ttl',
      values: { from: 'open', unused: undefined },
    });
    expect(Update).toEqual({
      TableName: 'rows',
      Key: key,
      UpdateExpression:
        'SET #ttl = :ttl, #since = if_not_exists(#since, :since) ADD #count :count DELETE #packs :packs REMOVE #gone',
      ConditionExpression: '#state = :from AND ttl < :ttl',
      ExpressionAttributeNames: {
        '#ttl': 'ttl',
        '#since': 'since',
        '#count': 'count',
        '#packs': 'packs',
        '#gone': 'gone',
        '#state': 'state',
      },
      ExpressionAttributeValues: {
        ':ttl': 7,
        ':since': 'now',
        ':count': 1,
        ':packs': new Set(['x']),
        ':from': 'open',
      },
    });
  });

  test('changes an attribute whose name has other characters than a placeholder may have', () => {
    const { Update } = update('rows', key, {
      add: { 's12-ab': 1 },
      remove: ['s11-ab'],
      when: '#s12_ab < :s12_ab',
    });
    expect(Update).toMatchObject({
      UpdateExpression: 'ADD #s12_ab :s12_ab REMOVE #s11_ab',
      ExpressionAttributeNames: { '#s12_ab': 's12-ab', '#s11_ab': 's11-ab' },
      ExpressionAttributeValues: { ':s12_ab': 1 },
    });
  });

  test('removes what is null and leaves what is undefined', () => {
    const { Update } = update('rows', key, nullsRemoved({ a: 1, b: null, c: undefined }));
    expect(Update.UpdateExpression).toBe('SET #a = :a REMOVE #b');
  });
});

test('a row of a revision replaces that revision only, and the first one nothing', () => {
  expect(put('rows', key, hasRevision(0)).Put).toEqual({
    TableName: 'rows',
    Item: key,
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  expect(put('rows', key, hasRevision(3)).Put).toMatchObject({
    ConditionExpression: 'revision = :seenRevision',
    ExpressionAttributeValues: { ':seenRevision': 3 },
  });
  expect(put('rows', key, { ...exists, returnsRow: true }).Put).toMatchObject({
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
});
