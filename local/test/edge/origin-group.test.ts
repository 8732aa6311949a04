import { describe, expect, test } from '@jest/globals';
import { viewerFunction } from '../../edge/viewer-function/viewer-function.ts';
import { aRequest, aResource } from './edge-fixture.ts';

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
