import * as cdk from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { EnvironmentName } from '../../contract/environment.ts';
import type { SlipwayFunction } from '../functions/function.ts';

/** The item operations that any function uses. */
export type ItemAction =
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'ConditionCheckItem'
  | 'BatchGetItem'
  | 'BatchWriteItem';

/** How other stacks refer to the table of projects; cdk-nag names a finding by it. */
const PROJECTS_EXPORT = 'ExportsOutputFnGetAttTablesProjectsD51E92A2Arn29B01F8A';

const DUE_INDEX = 'byDue';
const OWNER_INDEX = 'byOwner';

/** The tables. Each grant gives a function the permission together with the variable that names the table. */
export class Tables extends Construct {
  /** Serving records, by host. */
  readonly sites: dynamodb.Table;
  readonly projects: dynamodb.Table;
  readonly counters: dynamodb.Table;
  readonly codes: dynamodb.Table;
  readonly accounts: dynamodb.Table;
  /** Connected apps: clients, codes, grants and tokens. */
  readonly oauth: dynamodb.Table;
  /** Statistics: visits and opens. */
  readonly analytics: dynamodb.Table;

  private readonly backupDays: number;

  /** @param backupDays any second of this many past days can be restored into a new table */
  constructor(scope: Construct, id: string, backupDays: number) {
    super(scope, id);
    this.backupDays = backupDays;
    this.sites = this.table('Sites', 'host');
    this.projects = this.table('Projects', 'pk', {
      sortKey: text('sk'),
      stream: dynamodb.StreamViewType.OLD_IMAGE,
    });
    this.projects.addGlobalSecondaryIndex({
      indexName: DUE_INDEX,
      partitionKey: text('dueShard'),
      sortKey: text('dueAt'),
      projectionType: dynamodb.ProjectionType.KEYS_ONLY,
    });
    this.projects.addGlobalSecondaryIndex({
      indexName: OWNER_INDEX,
      partitionKey: text('ownerState'),
      sortKey: text('listedAt'),
      projectionType: dynamodb.ProjectionType.ALL,
    });
    this.counters = this.table('Counters', 'key');
    this.codes = this.table('Codes', 'key');
    this.accounts = this.table('Accounts', 'pk', { sortKey: text('sk') });
    this.oauth = this.table('Oauth', 'pk', { sortKey: text('sk') });
    this.analytics = this.table('Analytics', 'pk', { sortKey: text('sk') });
  }

  grantSites(fn: SlipwayFunction, actions: ItemAction[]): void {
    grant(fn, 'SITES_TABLE', this.sites, actions);
  }

  grantProjects(fn: SlipwayFunction, actions: ItemAction[]): void {
    grant(fn, 'PROJECTS_TABLE', this.projects, actions);
  }

  grantCounters(fn: SlipwayFunction, actions: ItemAction[]): void {
    grant(fn, 'COUNTERS_TABLE', this.counters, actions);
  }

  grantCodes(fn: SlipwayFunction, actions: ItemAction[]): void {
    grant(fn, 'CODES_TABLE', this.codes, actions);
  }

  grantAccounts(fn: SlipwayFunction, actions: ItemAction[]): void {
    grant(fn, 'ACCOUNTS_TABLE', this.accounts, actions);
  }

  grantOauth(fn: SlipwayFunction, actions: ItemAction[]): void {
    grant(fn, 'OAUTH_TABLE', this.oauth, actions);
  }

  grantAnalytics(fn: SlipwayFunction, actions: ItemAction[]): void {
    grant(fn, 'ANALYTICS_TABLE', this.analytics, actions);
  }

  /** Lets a function read the statistics of projects, and write the rollups that it makes of them. */
  grantStatistics(fn: SlipwayFunction): void {
    this.grantAnalytics(fn, ['Query', 'BatchGetItem', 'PutItem']);
  }

  /** Lets a function query the rows that the sweep must process. */
  grantDueQuery(fn: SlipwayFunction): void {
    this.grantIndex(fn, DUE_INDEX);
  }

  /** Lets a function list the projects of an account. */
  grantOwnerQuery(fn: SlipwayFunction): void {
    this.grantIndex(fn, OWNER_INDEX);
  }

  private grantIndex(fn: SlipwayFunction, index: string): void {
    fn.setVariable('PROJECTS_TABLE', this.projects.tableName);
    fn.allow(['dynamodb:Query'], [`${this.projects.tableArn}/index/${index}`]);
  }

  /** Lets a function's event source read the stream of deleted rows. Returns the ARN of the stream. */
  grantProjectStream(fn: SlipwayFunction): string {
    const { tableStreamArn } = this.projects;
    if (tableStreamArn === undefined) throw new Error('The projects table has no stream.');
    fn.allow(
      ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
      [tableStreamArn],
    );
    fn.allow(['dynamodb:ListStreams'], [`${this.projects.tableArn}/stream/*`]);
    fn.accept(
      `AwsSolutions-IAM5[Resource::${cdk.Stack.of(this).stackName}:${PROJECTS_EXPORT}/stream/*]`,
      'ListStreams has no narrower resource than the streams of one table.',
    );
    return tableStreamArn;
  }

  private table(id: string, key: string, more: Partial<dynamodb.TableProps> = {}): dynamodb.Table {
    return new dynamodb.Table(this, id, {
      partitionKey: text(key),
      billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,
      // A key that DynamoDB owns, which costs nothing.
      encryption: dynamodb.TableEncryption.DEFAULT,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: this.backupDays,
      },
      deletionProtection: true,
      removalPolicy: cdk.RemovalPolicy.RETAIN,
      timeToLiveAttribute: 'ttl',
      ...more,
    });
  }
}

function text(name: string): dynamodb.Attribute {
  return { name, type: dynamodb.AttributeType.STRING };
}

function grant(
  fn: SlipwayFunction,
  variable: EnvironmentName,
  table: dynamodb.Table,
  actions: ItemAction[],
): void {
  fn.setVariable(variable, table.tableName);
  fn.allow(
    actions.map((action) => `dynamodb:${action}`),
    [table.tableArn],
  );
}
