import { describe, expect, test } from '@jest/globals';
import { viewerFunction } from '../../edge/viewer-function/viewer-function.ts';
import { aRequest, aResource, aTemplate, anAnswer, anEdge, text } from './edge-fixture.ts';

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

  test('happens for GET and HEAD alone', async () => {
    expect(await answerOf([416], 416, 'HEAD')).toMatchObject({ status: 200, originCalls: 2 });
    expect(await answerOf([416], 416, 'POST')).toMatchObject({ status: 416, originCalls: 1 });
  });
});
