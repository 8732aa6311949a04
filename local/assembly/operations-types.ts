import { ACCOUNT, arn, REGION, type ResourceType, stableName } from './resource-type.ts';

/** Types that only describe how a deployment is watched; on a laptop there is nobody to call. */
export const operationsTypes: Record<string, ResourceType> = {
  'AWS::Logs::LogGroup': {
    local: 'nothing: functions log to the terminal',
    properties: ['LogGroupName', 'RetentionInDays', 'Tags', 'KmsKeyId'],
    ref: (resource) => stableName(resource, 'LogGroupName', 512),
    attributes: (_, ref) => ({ Arn: arn('logs', `log-group:${ref}:*`) }),
  },
  'AWS::Logs::MetricFilter': {
    local: 'nothing: no metrics are kept',
    properties: ['FilterName', 'FilterPattern', 'LogGroupName', 'MetricTransformations'],
  },
  'AWS::CloudWatch::Alarm': {
    local: 'nothing: no metrics are kept',
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
    local: 'nothing: no metrics are kept',
    properties: ['DashboardBody', 'DashboardName'],
  },
  'AWS::SNS::Topic': {
    local: 'nothing: alarms have nobody to tell',
    properties: ['DisplayName', 'KmsMasterKeyId', 'TopicName', 'Tags'],
    ref: (resource) => arn('sns', stableName(resource, 'TopicName', 256)),
    attributes: (resource, ref) => ({
      TopicArn: ref,
      TopicName: stableName(resource, 'TopicName', 256),
    }),
  },
  'AWS::SNS::TopicPolicy': {
    local: 'nothing: alarms have nobody to tell',
    properties: ['PolicyDocument', 'Topics'],
  },
  'AWS::SNS::Subscription': {
    local: 'nothing: alarms have nobody to tell',
    properties: ['Endpoint', 'Protocol', 'TopicArn'],
  },
  'AWS::SQS::QueuePolicy': {
    local: 'local/iam',
    properties: ['PolicyDocument', 'Queues'],
  },
  'AWS::KMS::Key': {
    local: 'nothing: the disk of the laptop is what encrypts',
    properties: [
      'Description',
      'Enabled',
      'EnableKeyRotation',
      'KeyPolicy',
      'PendingWindowInDays',
      'Tags',
    ],
    attributes: (resource) => ({
      Arn: arn('kms', `key/${resource.logicalId}`),
      KeyId: resource.logicalId,
    }),
  },
  'AWS::KMS::Alias': { local: 'nothing', properties: ['AliasName', 'TargetKeyId'] },
  'AWS::ApiGateway::Account': {
    local: 'nothing: it lets API Gateway write its access log',
    properties: ['CloudWatchRoleArn'],
  },
  'AWS::CertificateManager::Certificate': {
    local: 'nothing: localhost speaks plain HTTP',
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
    local: 'nothing: names under localhost resolve by themselves',
    properties: ['AliasTarget', 'HostedZoneId', 'Name', 'ResourceRecords', 'TTL', 'Type'],
  },
  'AWS::SES::ConfigurationSet': {
    local: 'nothing: no mail leaves the laptop',
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
  'AWS::CDK::Metadata': { local: 'nothing: counts CDK users', properties: ['Analytics'] },
};
