import { expect, test } from '@jest/globals';
import { checkAlarmTopics } from '../../iam/alarm-topics.ts';
import { aDeployment } from '../assembly/an-assembly.ts';

const onlyTls = {
  Effect: 'Deny',
  Principal: '*',
  Action: 'sns:Publish',
  Resource: '*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
};

function allowing(principal: object | string, condition?: object) {
  return {
    Effect: 'Allow',
    Principal: principal,
    Action: 'sns:Publish',
    Resource: { Ref: 'Topic' },
    ...(condition && { Condition: condition }),
  };
}

const cloudWatch = { Service: 'cloudwatch.amazonaws.com' };
const ofAccount = (account: unknown) => ({ StringEquals: { 'aws:SourceAccount': account } });

/** Checks an alarm whose topic has a policy of these statements, or none. */
function check(statements: object[] | undefined): () => void {
  const policy = {
    Type: 'AWS::SNS::TopicPolicy',
    Properties: {
      Topics: [{ Ref: 'Topic' }],
      PolicyDocument: { Version: '2012-10-17', Statement: statements ?? [] },
    },
  };
  const deployment = aDeployment({
    Resources: {
      Topic: { Type: 'AWS::SNS::Topic', Properties: {} },
      Alarm: { Type: 'AWS::CloudWatch::Alarm', Properties: { AlarmActions: [{ Ref: 'Topic' }] } },
      ...(statements !== undefined && { Policy: policy }),
    },
  });
  return () => checkAlarmTopics(deployment.resources());
}

test.each<[string, object[] | undefined]>([
  ['a topic without a policy', undefined],
  [
    'CloudWatch of this account',
    [onlyTls, allowing(cloudWatch, ofAccount({ Ref: 'AWS::AccountId' }))],
  ],
  [
    'CloudWatch for an alarm of this account',
    [
      allowing(cloudWatch, {
        ArnLike: { 'aws:SourceArn': 'arn:aws:cloudwatch:*:000000000000:alarm:*' },
      }),
    ],
  ],
])('accepts an alarm on %s', (_, statements) => {
  expect(check(statements)).not.toThrow();
});

test.each<[string, object[]]>([
  ['refuses plain HTTP and allows nobody', [onlyTls]],
  ['allows another service', [allowing({ Service: 'events.amazonaws.com' })]],
  ['allows CloudWatch of another account', [allowing(cloudWatch, ofAccount('111111111111'))]],
  ['allows roles of the account', [allowing({ AWS: 'arn:aws:iam::000000000000:root' })]],
])('stops the start when the topic policy %s', (_, statements) => {
  expect(check(statements)).toThrow(/does not let cloudwatch\.amazonaws\.com publish/);
});
