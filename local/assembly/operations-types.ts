import { ACCOUNT, arn, REGION, type ResourceType, stableName } from './resource-type.ts';

/** Types for monitoring and operations, which have no effect on a laptop. */
export const operationsTypes: Record<string, ResourceType> = {
  'AWS::Logs::LogGroup': {
    handledBy: 'nothing: functions log to the terminal',
    properties: ['LogGroupName', 'RetentionInDays', 'Tags', 'KmsKeyId'],
    ref: (resource) => stableName(resource, 'LogGroupName', 512),
    attributes: (_, ref) => ({ Arn: arn('logs', `log-group:${ref}:*`) }),
  },
  'AWS::Logs::MetricFilter': {
    handledBy: 'nothing: no metrics are kept',
    properties: ['FilterName', 'FilterPattern', 'LogGroupName', 'MetricTransformations'],
  },
  'AWS::CloudWatch::Alarm': {
    handledBy: 'nothing: no metrics are kept',
    properties: [
      'ActionsEnabled',
      'AlarmActions',
      'AlarmDescription',
      'AlarmName',
      'ComparisonOperator',
      'DatapointsToAlarm',
      'Dimensions',
      'EvaluationPeriods',
      'ExtendedStatistic',
      'InsufficientDataActions',
      'MetricName',
      'Metrics',
      'Namespace',
      'OKActions',
      'Period',
      'Statistic',
      'Tags',
      'Threshold',
      'TreatMissingData',
      'Unit',
    ],
    ref: (resource) => stableName(resource, 'AlarmName', 255),
    attributes: (resource) => ({ Arn: arn('cloudwatch', `alarm:${resource.logicalId}`) }),
  },
  'AWS::CloudWatch::Dashboard': {
    handledBy: 'nothing: no metrics are kept',
    properties: ['DashboardBody', 'DashboardName'],
  },
  'AWS::Budgets::Budget': {
    handledBy: 'nothing: nothing costs money',
    properties: ['Budget', 'NotificationsWithSubscribers', 'ResourceTags'],
  },
  'AWS::Logs::DeliverySource': {
    handledBy: 'nothing: the local edge writes no log of requests',
    properties: ['LogType', 'Name', 'ResourceArn', 'Tags'],
  },
  'AWS::Logs::DeliveryDestination': {
    handledBy: 'nothing: the local edge writes no log of requests',
    properties: [
      'DeliveryDestinationType',
      'DestinationResourceArn',
      'Name',
      'OutputFormat',
      'Tags',
    ],
    attributes: (_, ref) => ({ Arn: arn('logs', `delivery-destination:${ref}`) }),
  },
  'AWS::Logs::Delivery': {
    handledBy: 'nothing: the local edge writes no log of requests',
    properties: ['DeliveryDestinationArn', 'DeliverySourceName', 'RecordFields', 'Tags'],
  },
  'AWS::SNS::Topic': {
    handledBy: 'nothing: no alarms are sent',
    properties: ['DisplayName', 'KmsMasterKeyId', 'TopicName', 'Tags'],
    ref: (resource) => arn('sns', stableName(resource, 'TopicName', 256)),
    attributes: (resource, ref) => ({
      TopicArn: ref,
      TopicName: stableName(resource, 'TopicName', 256),
    }),
  },
  'AWS::SNS::TopicPolicy': {
    handledBy: 'local/iam/alarm-topics.ts: alarms must be allowed to publish',
    properties: ['PolicyDocument', 'Topics'],
  },
  'AWS::SNS::Subscription': {
    handledBy: 'nothing: no alarms are sent',
    properties: ['Endpoint', 'Protocol', 'TopicArn'],
  },
  'AWS::SQS::QueuePolicy': {
    handledBy: 'local/iam',
    properties: ['PolicyDocument', 'Queues'],
  },
  'AWS::ApiGateway::Account': {
    handledBy: 'nothing: it lets API Gateway write its access log',
    properties: ['CloudWatchRoleArn'],
  },
  'AWS::CertificateManager::Certificate': {
    handledBy: 'nothing: localhost uses plain HTTP',
    properties: [
      'CertificateTransparencyLoggingPreference',
      'DomainName',
      'DomainValidationOptions',
      'KeyAlgorithm',
      'SubjectAlternativeNames',
      'Tags',
      'ValidationMethod',
    ],
    ref: (resource) => `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/${resource.logicalId}`,
  },
  'AWS::Route53::RecordSet': {
    handledBy: 'nothing: names under localhost resolve by themselves',
    properties: ['AliasTarget', 'HostedZoneId', 'Name', 'ResourceRecords', 'TTL', 'Type'],
  },
  'AWS::SES::ConfigurationSet': {
    handledBy: 'local/ses',
    properties: [
      'Name',
      'DeliveryOptions',
      'ReputationOptions',
      'SendingOptions',
      'SuppressionOptions',
      'Tags',
    ],
    ref: (resource) => stableName(resource, 'Name', 64),
  },
};
