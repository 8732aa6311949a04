import { arn, type ResourceType, stableName } from './resource-type.ts';

/** Types for monitoring and operations, which have no effect on a laptop. */
export const operationsTypes: Record<string, ResourceType> = {
  'AWS::Logs::LogGroup': {
    handledBy: 'nothing: functions log to the terminal',
    properties: ['RetentionInDays'],
    ref: (resource) => stableName(resource, 'LogGroupName', 512),
    attributes: (_, ref) => ({ Arn: arn('logs', `log-group:${ref}:*`) }),
  },
  'AWS::CloudWatch::Dashboard': {
    handledBy: 'nothing: no metrics are kept',
    properties: ['DashboardBody'],
  },
  'AWS::SQS::QueuePolicy': {
    handledBy: 'local/iam',
    properties: ['PolicyDocument', 'Queues'],
  },
  'AWS::ApiGateway::Account': {
    handledBy: 'nothing: it lets API Gateway write its access log',
    properties: ['CloudWatchRoleArn'],
  },
  'AWS::SES::ConfigurationSet': {
    handledBy: 'local/ses',
    properties: ['Name', 'ReputationOptions', 'SuppressionOptions'],
    ref: (resource) => stableName(resource, 'Name', 64),
  },
};
