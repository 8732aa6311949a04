import * as cdk from 'aws-cdk-lib';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { ContentStore } from './content-store.ts';
import { appOrigin, type Settings } from '../settings.ts';
import { Tables } from './tables.ts';

export interface DataStackProps extends cdk.StackProps {
  settings: Settings;
}

/** What must survive: tables, published bytes and secrets. All of it stays when the stack goes. */
export class DataStack extends cdk.Stack {
  readonly tables: Tables;
  readonly content: ContentStore;
  /** Private keys of visitor media links; the `media-key` function fills it. */
  readonly mediaKey: secretsmanager.Secret;
  /** Header value that CloudFront adds, so that nobody can pass it by. */
  readonly originSecret: secretsmanager.Secret;

  /** Keys the sign-in codes, so that their table tells nobody a code. */
  readonly codeSecret: secretsmanager.Secret;

  /** Signs what lets a visitor see more than everybody. */
  readonly accessSecret: secretsmanager.Secret;

  constructor(scope: Construct, id: string, props: DataStackProps) {
    super(scope, id, props);
    this.tables = new Tables(this, 'Tables');
    this.content = new ContentStore(this, 'Content', appOrigin(props.settings));
    this.mediaKey = new secretsmanager.Secret(this, 'MediaKey', {
      description: 'Slipway: private key that signs links to large files',
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    this.codeSecret = new secretsmanager.Secret(this, 'CodeSecret', {
      description: 'Slipway: keys the sign-in codes',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    this.accessSecret = new secretsmanager.Secret(this, 'AccessSecret', {
      description: 'Slipway: signs what lets a visitor see more than everybody',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
    this.originSecret = new secretsmanager.Secret(this, 'OriginSecret', {
      description: 'Slipway: proves to the API that a request came through CloudFront',
      generateSecretString: { excludePunctuation: true, passwordLength: 48 },
      removalPolicy: cdk.RemovalPolicy.RETAIN,
    });
  }
}
