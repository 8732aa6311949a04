import * as cdk from 'aws-cdk-lib';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';
import { trustedGenerations } from '../../contract/environment.ts';
import { secretPurposes } from '../../contract/secret-place.ts';
import { allowOnSecret, grantSecret, type Secrets } from '../data/secrets.ts';
import { customResourceTimeout, type SlipwayFunction } from '../functions/function.ts';

export interface MediaSigningProps {
  /** The function that creates key pairs. */
  keyMaker: SlipwayFunction;
  secrets: Secrets;
  /** Number of the key that signs; see `docs/decisions/0039-a-secret-is-replaced-in-two-steps.md`. */
  generation: number;
  /** How long CloudFront may take to propagate a new key group. */
  propagationSeconds: number;
}

/**
 * The key pairs of links to large files: the gate signs the links, CloudFront verifies them. With each comes
 * an API key: CloudFront sends it, API Gateway verifies it.
 */
export class MediaSigning extends Construct {
  readonly keyGroup: cloudfront.KeyGroup;
  /** The API keys that API Gateway must accept, by generation. */
  readonly apiKeys: ReadonlyMap<number, string>;
  /** The one that CloudFront sends. */
  readonly apiKey: string;
  private readonly props: MediaSigningProps;
  private readonly publicKeys: ReadonlyMap<number, cloudfront.PublicKey>;

  constructor(scope: Construct, id: string, props: MediaSigningProps) {
    super(scope, id);
    this.props = props;
    const { keyMaker, secrets, generation, propagationSeconds } = props;
    for (const purpose of secretPurposes) {
      allowOnSecret(keyMaker, secrets, { purpose, action: 'GetSecretValue' });
    }
    allowOnSecret(keyMaker, secrets, { purpose: 'media', action: 'PutSecretValue' });
    const pair = new cdk.CustomResource(this, 'KeyPair', {
      resourceType: 'Custom::MediaKey',
      serviceToken: keyMaker.functionArn,
      serviceTimeout: customResourceTimeout,
      properties: {
        SecretArn: secrets.place('media'),
        Generation: generation,
        PropagationSeconds: propagationSeconds,
        OtherSecrets: otherPlaces(secrets),
      },
    });
    this.publicKeys = new Map(
      trustedGenerations(generation).map((number) => [number, this.publicKey(pair, number)]),
    );
    const apiKeyOf = (number: number) => pair.getAttString(`ApiKey${number}`);
    this.apiKeys = new Map(trustedGenerations(generation).map((one) => [one, apiKeyOf(one)]));
    this.apiKey = apiKeyOf(generation);
    this.keyGroup = new cloudfront.KeyGroup(this, 'KeyGroup', {
      items: [...this.publicKeys.values()],
    });
  }

  /** Lets a function sign links. */
  grantSigning(fn: SlipwayFunction): void {
    const { secrets, generation } = this.props;
    const current = this.publicKeys.get(generation);
    if (current === undefined) throw new Error(`Generation ${generation} has no media key.`);
    fn.setVariable('MEDIA_KEY_ID', current.publicKeyId);
    fn.setVariable('MEDIA_KEY_GENERATION', String(generation));
    grantSecret(fn, secrets, 'media');
  }

  /** One resource for each generation, because a public key of CloudFront cannot be changed. */
  private publicKey(pair: cdk.CustomResource, generation: number): cloudfront.PublicKey {
    return new cloudfront.PublicKey(this, `PublicKey${generation}`, {
      encodedKey: pair.getAttString(`PublicKeyPem${generation}`),
      comment: `Slipway: links to large files, key ${generation}`,
    });
  }
}

/** The other secrets. The key maker writes the first value of each that has none. */
function otherPlaces(secrets: Secrets): string[] {
  return secretPurposes.filter((one) => one !== 'media').map((one) => secrets.place(one));
}
