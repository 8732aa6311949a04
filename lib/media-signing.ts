import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { SlipwayFunction } from './function.ts';

export interface MediaSigningProps {
  /** Makes the key pair once, at the first deploy. */
  maker: SlipwayFunction;
  secret: secretsmanager.Secret;
}

/** The key pair of links to large files: the gate signs them, CloudFront checks them. */
export class MediaSigning extends Construct {
  readonly keyGroup: cloudfront.KeyGroup;
  private readonly publicKey: cloudfront.PublicKey;
  private readonly secret: secretsmanager.Secret;

  constructor(scope: Construct, id: string, { maker, secret }: MediaSigningProps) {
    super(scope, id);
    this.secret = secret;
    maker.allow(
      ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'],
      [secret.secretArn],
    );
    const pair = new cdk.CustomResource(this, 'KeyPair', {
      resourceType: 'Custom::MediaKey',
      serviceToken: maker.functionArn,
      properties: { SecretArn: secret.secretArn },
    });
    this.publicKey = new cloudfront.PublicKey(this, 'PublicKey', {
      encodedKey: pair.getAttString('PublicKeyPem'),
      comment: 'Slipway: links to large files',
    });
    this.keyGroup = new cloudfront.KeyGroup(this, 'KeyGroup', { items: [this.publicKey] });
  }

  /** Lets a function sign links. */
  grantSigning(fn: SlipwayFunction): void {
    fn.setVariable('MEDIA_KEY_ID', this.publicKey.publicKeyId);
    fn.setVariable('MEDIA_KEY_SECRET', this.secret.secretArn);
    fn.allow(['secretsmanager:GetSecretValue'], [this.secret.secretArn]);
  }
}
