import * as cdk from 'aws-cdk-lib';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { ContentStore } from './content-store.ts';
import type { DataOutput } from '../stages/stage-outputs.ts';
import { appOrigin, type Settings } from '../settings.ts';
import { Tables } from './tables.ts';

export interface DataStackProps extends cdk.StackProps {
  settings: Settings;
}

/** Everything that must survive: tables, published files and secrets. All of it is retained when the stack is deleted. */
export class DataStack extends cdk.Stack {
  readonly tables: Tables;
  readonly content: ContentStore;
  /** Private keys that sign links to large files. The `media-key` function writes them. */
  readonly mediaKey: secretsmanager.Secret;
  /** Header value that CloudFront adds, so that nobody can bypass CloudFront. */
  readonly originSecret: secretsmanager.Secret;
  /** HMAC key of sign-in codes, so that their table reveals no code. */
  readonly codeSecret: secretsmanager.Secret;
  /** Signs visitors' access cookies, owner links, previews and form tokens. */
  readonly accessSecret: secretsmanager.Secret;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    const { backupDays } = props.settings;
    this.tables = new Tables(this, 'Tables', backupDays);
    this.content = new ContentStore(this, 'Content', {
      appOrigin: appOrigin(props.settings),
      backupDays,
    });
    this.mediaKey = new secretsmanager.Secret(this, 'MediaKey', {
      description: 'Slipway: private key that signs links to large files',
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    this.codeSecret = new secretsmanager.Secret(this, 'CodeSecret', {
      description: 'Slipway: HMAC key of sign-in codes',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    this.accessSecret = new secretsmanager.Secret(this, 'AccessSecret', {
      description: 'Slipway: signs access cookies, owner links, previews and form tokens',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    this.originSecret = new secretsmanager.Secret(this, 'OriginSecret', {
      description: 'Slipway: proves to the API that a request came through CloudFront',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    cdk.Validations.of(this.mediaKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A deployment replaces the key, because CloudFront must trust it first (decision 0039).',
    });
    for (const secret of [this.codeSecret, this.accessSecret, this.originSecret]) {
      cdk.Validations.of(secret).acknowledge({
        id: 'AwsSolutions-SMG4',
        reason:
          'An operator replaces it in two steps (npm run admin -- rotate): a schedule would end what was signed, unnoticed (decision 0039).',
      });
    }
    this.addOutputs();
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
      CodeSecretArn: this.codeSecret.secretArn,
      AccessSecretArn: this.accessSecret.secretArn,
      OriginSecretArn: this.originSecret.secretArn,
    };
    for (const [name, value] of Object.entries(values)) new cdk.CfnOutput(this, name, { value });
  }
}
