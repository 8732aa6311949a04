import { createServer } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { handler as makeApiKeys } from '../../lambdas/workers/api-keys.ts';
import { handler as deployWebApp } from '../../lambdas/web-app/web-app.ts';

/** What CloudFormation is told about a request with these properties. */
async function answerTo(
  handler: (event: unknown) => Promise<void>,
  ResourceProperties: unknown,
): Promise<unknown> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const put = once(server, 'request').then(async ([request, response]) => {
    const body: unknown = JSON.parse(await text(request));
    response.end();
    return body;
  });
  await handler({
    RequestType: 'Update',
    ResponseURL: `http://127.0.0.1:${port}/answer`,
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'resource',
    ResourceProperties,
  });
  server.close();
  return put;
}

test.each([
  ['api-keys', makeApiKeys],
  ['web-app', deployWebApp],
])(
  '%s answers also where its properties are wrong, so that no stack hangs',
  async (name, handler) => {
    expect(await answerTo(handler, { Generation: 'many' })).toMatchObject({
      Status: 'FAILED',
      Reason: `See the log of the ${name} function.`,
      PhysicalResourceId: name,
    });
  },
);
