import { expect, test } from '@jest/globals';
import { lambdaPermissions } from '../../iam/lambda-permissions.ts';

const arn = (rest: string): string => `arn:aws:execute-api:us-east-1:000000000000:${rest}`;
const source = arn('api/live/GET/v1/projects/{projectId}');
const base = {
  Action: 'lambda:InvokeFunction',
  FunctionName: 'system',
  Principal: 'apigateway.amazonaws.com',
  SourceArn: arn('api/*/*/*'),
};

function mayInvoke(properties: Record<string, unknown>, sourceArn: string): boolean {
  const resource = { type: 'AWS::Lambda::Permission', logicalId: 'A', stack: 'Stack', properties };
  return lambdaPermissions([resource])({
    action: 'lambda:InvokeFunction',
    principal: 'apigateway.amazonaws.com',
    functionArn: 'system',
    sourceArn,
  });
}

test.each([
  ['any method of the API', base, true],
  ['every action', { ...base, Action: 'lambda:*' }, true],
  [
    'the ARN of the function',
    { ...base, FunctionName: 'arn:aws:lambda:us-east-1:000000000000:function:system' },
    true,
  ],
  ['every source', { ...base, SourceArn: undefined }, true],
  ['this method and path', { ...base, SourceArn: arn('api/live/GET/v1/projects/*') }, true],
  ['another method', { ...base, SourceArn: arn('api/live/POST/v1/projects/*') }, false],
  ['another API', { ...base, SourceArn: arn('other/*/*/*') }, false],
  [
    'a name that only a regular expression would match',
    { ...base, SourceArn: arn('ap./*/*/*') },
    false,
  ],
  ['another function', { ...base, FunctionName: 'gate' }, false],
  ['another principal', { ...base, Principal: 'events.amazonaws.com' }, false],
  ['another action', { ...base, Action: 'lambda:InvokeFunctionUrl' }, false],
])('a permission for %s', (_name, permission, expected) => {
  expect(mayInvoke(permission, source)).toBe(expected);
});

test('the root of an API matches the pattern that CDK writes for every method', () => {
  expect(mayInvoke(base, arn('api/live/GET/'))).toBe(true);
});
