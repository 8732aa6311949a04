import { expect, test } from '@jest/globals';
import { mayInvoke } from '../../../../../local/gateway/definition/permission.ts';

const arn = (rest: string): string => `arn:aws:execute-api:us-east-1:000000000000:${rest}`;
const source = arn('api/live/GET/v1/projects/{projectId}');
const base = {
  action: 'lambda:InvokeFunction',
  functionName: 'system',
  principal: 'apigateway.amazonaws.com',
  sourceArn: arn('api/*/*/*'),
};

test.each([
  ['any method of the API', base, true],
  ['every source', { ...base, sourceArn: undefined }, true],
  ['this method and path', { ...base, sourceArn: arn('api/live/GET/v1/projects/*') }, true],
  ['another method', { ...base, sourceArn: arn('api/live/POST/v1/projects/*') }, false],
  ['another API', { ...base, sourceArn: arn('other/*/*/*') }, false],
  [
    'a name that only a regular expression would match',
    { ...base, sourceArn: arn('ap./*/*/*') },
    false,
  ],
  ['another function', { ...base, functionName: 'gate' }, false],
  ['another principal', { ...base, principal: 'events.amazonaws.com' }, false],
  ['another action', { ...base, action: 'lambda:InvokeFunctionUrl' }, false],
])('a permission for %s', (_name, permission, expected) => {
  expect(mayInvoke([permission], 'system', source)).toBe(expected);
});

test('the root of an API matches the pattern that CDK writes for every method', () => {
  expect(mayInvoke([base], 'system', arn('api/live/GET/'))).toBe(true);
});
