import { describe, expect, test } from '@jest/globals';
import type { Resource } from '../../assembly/resource.ts';
import { viewerFunction } from '../../edge/viewer-function/viewer-function.ts';
import {
  aRequest,
  aResource,
  aTemplate,
  anAnswer,
  anEdge,
  text,
  visitorConfig,
} from './edge-fixture.ts';

function run(code: string) {
  const resource = aResource('Function', 'Fn', {
    AutoPublish: true,
    FunctionCode: code,
    FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
  });
  return viewerFunction(resource).run(aRequest(), { distributionId: 'D', requestId: 'r' });
}

function creating(group: object, firstLine = "import cf from 'cloudfront';") {
  return `${firstLine}
function handler(event) {
  cf.createRequestOriginGroup(${JSON.stringify(group)});
  return event.request;
}`;
}

const group = {
  originIds: [{ originId: 'a' }, { originId: 'b' }],
  failoverCriteria: { statusCodes: [429, 502] },
};

describe('an origin group that a viewer-request function creates', () => {
  test('comes with the request', () => {
    expect(run(creating(group))).toMatchObject({ kind: 'request', originGroup: group });
  });

  test.each<[string, string]>([
    ['the module is not imported', creating(group, '')],
    ['one origin is given', creating({ ...group, originIds: [{ originId: 'a' }] })],
    [
      'CloudFront cannot fail over on the status',
      creating({ ...group, failoverCriteria: { statusCodes: [501] } }),
    ],
  ])('is refused if %s', (_, code) => {
    expect(run(code).kind).toBe('failed');
  });
});

describe('failover', () => {
  /** An edge whose function lists these statuses, and whose first origin answers so, or cannot be reached. */
  async function answerOf(statusCodes: number[], first: number | 'unreachable', method = 'GET') {
    const both = { originIds: [{ originId: 'gate' }, { originId: 'media' }] };
    const code = creating({ ...both, failoverCriteria: { statusCodes } });
    const fn = aResource('Function', 'ViewerRequest', {
      AutoPublish: true,
      FunctionCode: code,
      FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
    });
    const { edge, originCalls } = anEdge(
      (_, { id }) => {
        if (id === 'media') return anAnswer({}, 'the second');
        if (first === 'unreachable') throw new Error('connection refused');
        return anAnswer({}, 'the first', first);
      },
      { resources: aTemplate([fn]) },
    );
    const answer = await edge.handle(aRequest({ method, headers: { range: 'bytes=0-1' } }));
    const [one, two] = originCalls.map(({ request }) => request);
    expect(two?.headers['range']).toBe(two && one?.headers['range']);
    return { status: answer.status, body: text(answer), originCalls: originCalls.length };
  }

  test.each<[number[], number | 'unreachable', object]>([
    [[416], 416, { status: 200, body: 'the second', originCalls: 2 }],
    [[416], 404, { status: 404, body: 'the first', originCalls: 1 }],
    [[416], 503, { status: 503, body: 'the first', originCalls: 1 }],
    // "Optimize high availability with CloudFront origin failover".
    [[416], 'unreachable', { status: 502, originCalls: 1 }],
    [[416, 503], 'unreachable', { status: 200, body: 'the second', originCalls: 2 }],
  ])('with %j in the list, a first origin that answers %s', async (list, first, expected) => {
    expect(await answerOf(list, first)).toMatchObject(expected);
  });

  test('happens for GET, HEAD and OPTIONS alone', async () => {
    expect(await answerOf([416], 416, 'HEAD')).toMatchObject({ status: 200, originCalls: 2 });
    expect(await answerOf([416], 416, 'OPTIONS')).toMatchObject({ status: 200, originCalls: 2 });
    expect(await answerOf([416], 416, 'POST')).toMatchObject({ status: 416, originCalls: 1 });
  });
});

describe('an origin group of a behaviour', () => {
  const statusCodes = { Quantity: 3, Items: [429, 502, 504] };
  const ofTemplate = {
    Id: 'gate-or-media',
    Members: { Quantity: 2, Items: [{ OriginId: 'gate' }, { OriginId: 'media' }] },
    FailoverCriteria: { StatusCodes: statusCodes },
  };
  const withGroup = (methods: string[], group: object = ofTemplate) => {
    const config = {
      ...visitorConfig,
      OriginGroups: { Quantity: 1, Items: [group] },
      DefaultCacheBehavior: {
        TargetOriginId: 'gate-or-media',
        AllowedMethods: methods,
        CachePolicyId: 'Pages',
      },
    };
    return aTemplate([aResource('Distribution', 'Visitor', { DistributionConfig: config })]);
  };
  const reads = ['GET', 'HEAD', 'OPTIONS'];

  test.each<[number, object]>([
    [429, { status: 503, body: 'busy' }],
    [502, { status: 503, body: 'busy' }],
    [503, { status: 503, body: 'the gate' }],
    [404, { status: 404, body: 'the gate' }],
  ])('answers from the second origin at its statuses alone: %s', async (status, expected) => {
    const { edge } = anEdge(
      (_, { id }) =>
        id === 'media' ? anAnswer({}, 'busy', 503) : anAnswer({}, 'the gate', status),
      { resources: withGroup(reads) },
    );
    const answer = await edge.handle(aRequest());
    expect({ status: answer.status, body: text(answer) }).toEqual(expected);
    expect((await edge.handle(aRequest({ method: 'POST' }))).status).toBe(403);
  });

  test.each<[string, Resource[]]>([
    ['AllowedMethods is too wide for a group: POST', withGroup([...reads, 'POST'])],
    [
      'names an unknown origin: other',
      withGroup(reads, {
        ...ofTemplate,
        Members: { Quantity: 2, Items: [{ OriginId: 'gate' }, { OriginId: 'other' }] },
      }),
    ],
    [
      'StatusCodes',
      withGroup(reads, {
        ...ofTemplate,
        FailoverCriteria: { StatusCodes: { Quantity: 1, Items: [501] } },
      }),
    ],
  ])('stops the start: %s', (message, resources) => {
    expect(() => anEdge(() => anAnswer({}, ''), { resources })).toThrow(message);
  });
});
