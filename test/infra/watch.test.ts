import { describe, expect, test } from '@jest/globals';
import {
  fullSettings,
  type Json,
  localSettings,
  ofType,
  onlyOf,
  type Synthesized,
  synthesize,
} from './synthesize.ts';

const { service } = await synthesize();
const { data: fullData, service: full } = await synthesize(fullSettings);

describe('the log of CloudFront', () => {
  test('is off by default, because it costs', () => {
    expect(ofType(service, 'AWS::Logs::Delivery')).toEqual([]);
  });

  test('has a line for each request of both distributions, and no address, client or secret', () => {
    const deliveries = ofType(full, 'AWS::Logs::Delivery').map(({ Properties }) => Properties);
    expect(deliveries).toHaveLength(2);
    for (const { RecordFields } of deliveries) {
      expect(RecordFields).toEqual(expect.arrayContaining(['date', 'sc-status', 'x-host-header']));
      for (const field of RecordFields) {
        expect(field).not.toMatch(/^(?:c-|cs-uri|cs\(|x-forwarded-for)|cookie|referer|agent/i);
      }
    }
  });

  test('is delivered from each distribution to a log that ends with the others', () => {
    const sources = ofType(full, 'AWS::Logs::DeliverySource').map(({ Properties }) => Properties);
    const distributions = sources.map(({ ResourceArn }) => JSON.stringify(ResourceArn));
    expect(distributions.filter((arn) => arn.includes('AppDistribution'))).toHaveLength(1);
    expect(distributions.filter((arn) => arn.includes('VisitorsDistribution'))).toHaveLength(1);
    const names = sources.map(({ Name }) => Name);
    const used = ofType(full, 'AWS::Logs::Delivery').map(
      ({ Properties }) => Properties.DeliverySourceName,
    );
    expect(new Set(used)).toEqual(new Set(names));
    for (const name of names) expect(name).toMatch(/^[\w-]{1,60}$/);
    const groups = ofType(full, 'AWS::Logs::LogGroup').filter(({ Properties }) =>
      String(Properties.LogGroupName).startsWith('/aws/vendedlogs/'),
    );
    expect(groups.map(({ Properties }) => Properties.RetentionInDays)).toEqual([30, 30]);
  });
});

describe('the budget', () => {
  test('mails at half, at all, and when the month will exceed it', () => {
    const { Budget, NotificationsWithSubscribers } = onlyOf(
      full,
      'AWS::Budgets::Budget',
    ).Properties;
    expect(Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 20, Unit: 'USD' },
    });
    const notices = NotificationsWithSubscribers.map(({ Notification, Subscribers }: Json) => [
      Notification.NotificationType,
      Notification.Threshold,
      Subscribers[0].Address,
    ]);
    expect(notices).toEqual([
      ['ACTUAL', 50, 'ops@example.org'],
      ['ACTUAL', 100, 'ops@example.org'],
      ['FORECASTED', 100, 'ops@example.org'],
    ]);
  });

  test('does not exist without an amount', () => {
    expect(ofType(service, 'AWS::Budgets::Budget')).toEqual([]);
  });
});

describe('the dashboard', () => {
  const text = (value: Json): string =>
    typeof value === 'string'
      ? value
      : value['Fn::Join'][1].map((part: Json) => (typeof part === 'string' ? part : 'x')).join('');
  const { widgets } = JSON.parse(
    text(onlyOf(service, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody),
  );

  test('shows five figures', () => {
    expect(widgets.map(({ properties }: Json) => properties.title)).toEqual([
      'Pages',
      'Milliseconds for a page',
      'API',
      'Functions at once',
      'Custom domains',
    ]);
  });

  test('stays below the fifty metrics that are free', () => {
    const metrics = widgets.flatMap(({ properties }: Json) => properties.metrics);
    expect(metrics.length).toBeLessThan(50);
  });
});

describe('cost allocation', () => {
  /** Types whose resources Billing shows, and that take tags. */
  const costly = [
    'AWS::ApiGateway::RestApi',
    'AWS::CloudFront::Distribution',
    'AWS::CloudWatch::Alarm',
    'AWS::DynamoDB::Table',
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::S3::Bucket',
    'AWS::SQS::Queue',
    'AWS::SecretsManager::Secret',
    'AWS::WAFv2::WebACL',
  ];
  const resources = (template: Synthesized) => costly.flatMap((type) => ofType(template, type));

  test('every resource that costs has the tag of its installation', () => {
    const found = [...resources(fullData), ...resources(full)];
    expect(new Set(found.map(({ Type }) => Type))).toEqual(new Set(costly));
    for (const { Properties } of found) {
      expect(Properties.Tags).toContainEqual({ Key: 'slipway', Value: 'app.example.org' });
    }
  });

  test('the local cloud has no tags, because nothing of it costs', async () => {
    const { data, service: local } = await synthesize(localSettings);
    expect(JSON.stringify([data, local])).not.toContain('"Key":"slipway"');
  });
});
