import { expect, test } from '@jest/globals';
import { createOriginPort, type OriginsOptions } from '../origins.ts';

const arn = 'arn:aws:lambda:us-east-1:000000000000:function:fn';

/** Origins of one function with a URL; nothing else of them is reached here. */
function originsWith(url: Record<string, unknown>) {
  const fn = { FunctionName: 'fn' };
  const resources = [
    { stack: 'S', logicalId: 'Fn', type: 'AWS::Lambda::Function', properties: fn },
    {
      stack: 'S',
      logicalId: 'Url',
      type: 'AWS::Lambda::Url',
      properties: { AuthType: 'NONE', TargetFunctionArn: arn, ...url },
    },
  ];
  const called: string[] = [];
  const failed = { ok: false as const, errorType: 'Error', errorMessage: 'called' };
  const functions = {
    invoke: async () => (called.push('invoke'), failed),
    stream: async () => (called.push('stream'), failed),
  };
  const clock = { now: () => new Date(), offsetMs: 0 };
  const options = { resources, functions, clock } as unknown as OriginsOptions;
  return { called, open: () => createOriginPort(options) };
}

const origin = {
  kind: 'function-url' as const,
  domainName: 'fn.lambda-url.us-east-1.on.aws',
  originPath: '',
  isS3: false,
  originAccessControlId: undefined,
  customHeaders: {},
  signsRequests: false,
  id: 'zip',
};
const request = {
  method: 'GET',
  path: '/',
  query: '',
  headers: {},
  body: Buffer.alloc(0),
  viewer: { address: '127.0.0.1', port: 1 },
};

test.each([
  [{}, 'invoke'],
  [{ InvokeMode: 'BUFFERED' }, 'invoke'],
  [{ InvokeMode: 'RESPONSE_STREAM' }, 'stream'],
])('a Function URL with %j calls by %s', async (url, way) => {
  const { called, open } = originsWith(url);
  expect((await open().fetch(origin, request)).status).toBe(502);
  expect(called).toEqual([way]);
});

test.each([[{ InvokeMode: 'STREAM' }], [{ Cors: {} }]])('%j stops the start', (url) => {
  expect(() => originsWith(url).open()).toThrow(/AWS::Lambda::Url Url/);
});
