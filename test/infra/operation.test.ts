import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { arnOf } from '../../local/assembly/resource-types.ts';
import { lambdaPermissions } from '../../local/iam/lambda-permissions.ts';
import { startAsyncInvocations } from '../../local/lambda/async-invocations.ts';
import { startSchedules } from '../../local/time/schedule.ts';
import { localSettings as settingsOfLaptop } from '../../bin/local-settings.ts';
import { localResources } from './local-resources.ts';
import {
  fullSettings,
  localSettings,
  type Json,
  named,
  ofType,
  onlyOf,
  synthesize,
} from './synthesize.ts';

const { service } = await synthesize();
const { service: full } = await synthesize(fullSettings);

const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');
const [ofAlarms = ''] = runbook.split('\n# Without an alarm\n');
const headings = [...ofAlarms.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
  title.toLowerCase().replaceAll(' ', '-'),
);

describe('alarms', () => {
  const alarms = ofType(full, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);

  test('each link a heading of the runbook, and every heading has its alarm', () => {
    const linked = alarms.map(
      ({ AlarmDescription }): string =>
        /docs\/runbook\.md#([a-z-]+)$/.exec(AlarmDescription)?.[1] ?? '',
    );
    expect([...new Set(linked)].toSorted()).toEqual(headings.toSorted());
    // Three functions in CloudFront share a heading.
    expect(linked.length).toBe(headings.length + 2);
  });

  test('report that the cleanup has stopped', () => {
    expect(alarms).toContainEqual(
      expect.objectContaining({
        Namespace: 'AWS/Lambda',
        MetricName: 'Errors',
        Dimensions: [
          { Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^Maintenance/) } },
        ],
        Threshold: 2,
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        TreatMissingData: 'breaching',
      }),
    );
  });

  test('watch the one queue in which all workers leave what failed', () => {
    const [id] =
      Object.entries(full.Resources).find(([name]) => name.startsWith('DeadLetters')) ?? [];
    const queues = ofType(full, 'AWS::SQS::Queue').flatMap(
      ({ Properties }) => Properties.RedrivePolicy?.deadLetterTargetArn ?? [],
    );
    const target = { 'Fn::GetAtt': [id, 'Arn'] };
    expect(queues).toEqual([target, target, target]);
    expect(
      alarms.find(({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible'),
    ).toMatchObject({
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
      Threshold: 1,
    });
  });

  test('are fifteen of one metric each, which are what an idle installation pays most for', () => {
    expect(alarms).toHaveLength(15);
    expect(alarms.filter(({ MetricName }) => MetricName === undefined)).toEqual([]);
  });

  const id = (type: string, prefix: string): string =>
    Object.entries(full.Resources).find(
      ([name, { Type }]) => Type === type && name.startsWith(prefix),
    )?.[0] ?? '';

  test.each([
    ['error-rate-of-the-app', 'AppDistribution', (name: string) => ({ Ref: name })],
    [
      'error-rate-of-sites',
      'VisitorsDistribution',
      (name: string) => ({ 'Fn::GetAtt': [name, 'Id'] }),
    ],
  ])('see what CloudFront answers by itself: %s', (heading, prefix, distributionId) => {
    const alarm = alarms.find(({ AlarmDescription }) => AlarmDescription.endsWith(`#${heading}`));
    const distribution = id('AWS::CloudFront::Distribution', prefix);
    expect(alarm).toMatchObject({
      Namespace: 'AWS/CloudFront',
      MetricName: '5xxErrorRate',
      Statistic: 'Average',
      Dimensions: [
        { Name: 'DistributionId', Value: distributionId(distribution) },
        { Name: 'Region', Value: 'Global' },
      ],
      Threshold: 5,
      TreatMissingData: 'notBreaching',
    });
  });

  test('see errors of every function in CloudFront, also while nobody calls the others', () => {
    const watched = alarms.filter(({ AlarmDescription }) =>
      AlarmDescription.endsWith('#edge-functions'),
    );
    for (const alarm of watched) {
      expect(alarm).toMatchObject({ MetricName: 'FunctionExecutionErrors', Statistic: 'Sum' });
    }
    const names = ofType(full, 'AWS::CloudFront::Function').map(({ Properties }) => [
      { Name: 'FunctionName', Value: Properties.Name },
      { Name: 'Region', Value: 'Global' },
    ]);
    expect(names).toHaveLength(3);
    const dimensions = watched.map(({ Dimensions }) => Dimensions);
    expect(dimensions).toEqual(expect.arrayContaining(names));
    expect(dimensions).toHaveLength(names.length);
  });

  test('see throttles of the whole account, which shares one quota', () => {
    const alarm = alarms.find(({ MetricName }) => MetricName === 'Throttles');
    expect(alarm).toMatchObject({ Namespace: 'AWS/Lambda', Statistic: 'Sum', Threshold: 1 });
    expect(alarm).not.toHaveProperty('Dimensions');
  });

  test('see hits that nobody counts, before they become dead letters', () => {
    const queue = id('AWS::SQS::Queue', 'HitsQueue');
    expect(alarms.find(({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage')).toEqual(
      expect.objectContaining({
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [queue, 'QueueName'] } }],
        Statistic: 'Maximum',
        Threshold: 900,
      }),
    );
  });

  test('read one metric of streams that fail: the log’s lines before the first byte, and after it', () => {
    const { Properties: filter } = onlyOf(full, 'AWS::Logs::MetricFilter');
    const [log = ''] = Object.keys(full.Resources).filter((id) => id.startsWith('StreamsLog'));
    const [fn = ''] = Object.keys(full.Resources).filter((id) => /^Streams[0-9A-F]{8}$/.test(id));
    expect(filter).toMatchObject({
      LogGroupName: { Ref: log },
      FilterPattern:
        '{ ($.message = "stream failed") || (($.type = "platform.report") && ($.record.status != "success")) }',
    });
    // Lambda's lines have these fields in its JSON format, and it writes those of failures at each level.
    expect(full.Resources[fn]?.Properties.LoggingConfig).toMatchObject({
      LogFormat: 'JSON',
      LogGroup: { Ref: log },
    });
    const [{ MetricNamespace, MetricName, MetricValue, DefaultValue }] =
      filter.MetricTransformations;
    expect(alarms.find((alarm) => alarm.MetricName === MetricName)).toMatchObject({
      Namespace: MetricNamespace,
      Statistic: 'Sum',
      Threshold: 5,
      TreatMissingData: 'notBreaching',
    });
    // A default would be a metric that is billed in every hour.
    expect([MetricValue, DefaultValue]).toEqual(['1', undefined]);
  });

  test('read the metric that is made of domains in trouble', () => {
    expect(alarms.find(({ MetricName }) => MetricName === 'DomainTroubles')).toMatchObject({
      Namespace: 'Slipway',
      // Requests and maintenance write its lines.
      Dimensions: [{ Name: 'table', Value: expect.anything() }],
      // A day without a line: certificates are looked at once a day.
      Period: 3600,
      EvaluationPeriods: 26,
      DatapointsToAlarm: 1,
    });
  });

  test('are not made without an address: nobody would hear of them, and each costs money', () => {
    const types = ['CloudWatch::Alarm', 'SNS::Topic', 'Logs::MetricFilter'];
    expect(types.flatMap((type) => ofType(service, `AWS::${type}`))).toEqual([]);
  });

  test('all send mail to the given address', () => {
    expect(onlyOf(full, 'AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'ops@example.org',
    });
    for (const { Properties } of ofType(full, 'AWS::CloudWatch::Alarm')) {
      expect(Properties.AlarmActions).toEqual([{ Ref: expect.stringMatching(/^AlarmsTopic/) }]);
    }
  });

  test('arrive: the topic’s policy lets CloudWatch of this account publish, over TLS only', () => {
    const { Statement } = onlyOf(full, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument;
    expect(Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Resource: { Ref: expect.stringMatching(/^AlarmsTopic/) },
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  });
});

describe('maintenance', () => {
  test('runs every minute', () => {
    expect(onlyOf(service, 'AWS::Events::Rule').Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
    });
  });

  test('does not retry a failed sweep beside the next one', async () => {
    const resources = localResources(await synthesize(localSettings));
    let minute = 0;
    const clock = { offsetMs: 0, now: () => new Date(Date.UTC(2026, 0, 1, 0, minute)) };
    const attempts: number[] = [];
    const invocations = startAsyncInvocations({
      resources,
      clock,
      invoke: async () => {
        attempts.push(minute);
        return { ok: false, errorType: 'Error', errorMessage: 'a table is throttled' };
      },
      log: () => undefined,
    });
    const schedules = startSchedules({
      resources,
      ruleArn: arnOf,
      clock,
      mayInvoke: lambdaPermissions(resources),
      invoke: async (arn, event) => invocations.invoke(arn, event),
    });
    for (minute = 1; minute <= 5; minute += 1) {
      await Promise.all([schedules.runDue(), invocations.runDue()]);
    }
    await schedules.close();
    await invocations.close();
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
  });

  test('drops a sweep that waited for a minute, because the next one does its work', () => {
    expect(onlyOf(service, 'AWS::Lambda::EventInvokeConfig').Properties).toMatchObject({
      FunctionName: { Ref: expect.stringMatching(/^Maintenance/) },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });

  test('gets the rows that DynamoDB expired, and nothing else', () => {
    const source = named(
      service,
      'AWS::Lambda::EventSourceMapping',
      'CleaningExpiredProjects',
    ).Properties;
    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 5,
    });
    expect(source.FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern))).toEqual([
      {
        eventName: ['REMOVE'],
        userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] },
      },
    ]);
  });

  test('keeps failed events in an encrypted queue for two weeks', () => {
    const [id, queue] =
      Object.entries(service.Resources).find(([name]) => name.startsWith('DeadLetters')) ?? [];
    expect(queue?.Properties).toMatchObject({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 1_209_600,
    });
    const source = named(
      service,
      'AWS::Lambda::EventSourceMapping',
      'CleaningExpiredProjects',
    ).Properties;
    expect(source.DestinationConfig.OnFailure.Destination).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
  });
});

describe('the upload queue', () => {
  const queue = named(service, 'AWS::SQS::Queue', 'UploadingQueue').Properties;

  test('hides a message longer than its worker runs, is encrypted, and gives up messages that failed three times', () => {
    const worker = named(service, 'AWS::Lambda::Function', 'UploadWorker').Properties;
    expect(queue.VisibilityTimeout).toBeGreaterThan(worker.Timeout);
    expect(queue).toMatchObject({ SqsManagedSseEnabled: true });
    expect(queue.RedrivePolicy).toMatchObject({ maxReceiveCount: 3 });
  });

  test('gives a worker one upload at a time', () => {
    const source = named(service, 'AWS::Lambda::EventSourceMapping', 'UploadingWorker').Properties;
    expect(source).toMatchObject({ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 5 } });
  });
});

describe('the queue of hits', () => {
  test('hides a message longer than its counter runs, is encrypted, and gives up messages that failed five times', () => {
    const queue = named(service, 'AWS::SQS::Queue', 'HitsQueue').Properties;
    const counter = named(service, 'AWS::Lambda::Function', 'HitCounter').Properties;
    expect(queue.VisibilityTimeout).toBeGreaterThanOrEqual(6 * counter.Timeout + 20);
    expect(queue).toMatchObject({ SqsManagedSseEnabled: true });
    expect(queue.RedrivePolicy).toMatchObject({ maxReceiveCount: 5 });
  });

  test('gives the counter many hits at once, and repeats only those that failed', () => {
    const source = named(service, 'AWS::Lambda::EventSourceMapping', 'HitsCounter').Properties;
    expect(source).toMatchObject({
      BatchSize: 500,
      MaximumBatchingWindowInSeconds: 20,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

test('the local cloud reads its templates with every setting of a stage', async () => {
  const resources = localResources(await synthesize(settingsOfLaptop([], fullSettings)));
  expect(resources.map(({ type }) => type)).not.toContain('AWS::CloudWatch::Alarm');
});
