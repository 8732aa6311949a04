import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { ContentStore } from './content-store.ts';
import type { DataOutput } from '../stages/stage-outputs.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { appOrigin, type Settings } from '../settings.ts';
import { Tables } from './tables.ts';

export interface DataStackProps extends cdk.StackProps {
  settings: Settings;
}

/** Everything that must survive: tables, published files, secrets, and the address that customers' DNS leads to. All of it is retained when the stack is deleted. */
export class DataStack extends cdk.Stack {
  readonly tables: Tables;
  readonly content: ContentStore;
  readonly secrets: Secrets;
  readonly connectionGroup: cloudfront.CfnConnectionGroup;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    const { backupDays } = props.settings;
    this.tables = new Tables(this, 'Tables', backupDays);
    this.content = new ContentStore(this, 'Content', {
      appOrigin: appOrigin(props.settings),
      backupDays,
    });
    this.secrets = createSecrets(this);
    this.connectionGroup = this.createConnectionGroup();
    this.addOutputs();
  }

  /** CloudFront gives another routing endpoint to each connection group. Records of customers' zones hold this one. */
  private createConnectionGroup(): cloudfront.CfnConnectionGroup {
    const group = new cloudfront.CfnConnectionGroup(this, 'ConnectionGroup', {
      name: `${this.stackName}-connections`,
      enabled: true,
      ipv6Enabled: true,
    });
    group.applyRemovalPolicy(cdk.RemovalPolicy.RETAIN);
    return group;
  }

  /** Operator commands read them, so that nobody copies a name (lib/stages/stage-outputs.ts). */
  private addOutputs(): void {
    const { sites, projects, counters, codes, accounts } = this.tables;
    const values: Record<DataOutput, string> = {
      SitesTable: sites.tableName,
      ProjectsTable: projects.tableName,
      CountersTable: counters.tableName,
      CodesTable: codes.tableName,
      AccountsTable: accounts.tableName,
      ContentBucket: this.content.bucket.bucketName,
      CodeSecretArn: this.secrets.place('code'),
      AccessSecretArn: this.secrets.place('access'),
      OriginSecretArn: this.secrets.place('origin'),
    };
    for (const [name, value] of Object.entries(values)) new cdk.CfnOutput(this, name, { value });
  }
}
