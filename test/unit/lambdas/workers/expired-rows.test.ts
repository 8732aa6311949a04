import { expect, test } from '@jest/globals';
import { findRemains, StreamEvent } from '../../../../lambdas/workers/maintenance.ts';

const projectId = '0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11';
const record = (pk: string, sk: string, image: Record<string, string> = {}) => ({
  eventName: 'REMOVE',
  dynamodb: {
    Keys: { pk: { S: pk }, sk: { S: sk } },
    OldImage: {
      version: { N: '1' },
      ...Object.fromEntries(Object.entries(image).map(([name, S]) => [name, { S }])),
    },
  },
});

test('only expired rows of projects and intents leave something to clean up', () => {
  const event = StreamEvent.parse({
    Records: [
      record(`PROJECT#${projectId}`, 'META', { host: 'a.sites.test', claimHash: 'abc' }),
      record(`PROJECT#${projectId}`, 'INTENT#000002'),
      record(`PROJECT#${projectId}`, 'VERSION#000001'),
      record('CLAIM#abc', 'CLAIM'),
    ],
  });
  expect(findRemains(event)).toEqual([
    { kind: 'project', projectId, host: 'a.sites.test', claimHash: 'abc' },
    { kind: 'intent', projectId, store: '000002' },
  ]);
});
