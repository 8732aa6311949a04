import * as cdk from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { trustedGenerations } from '../../contract/environment.ts';
import { secretPurposes } from '../../contract/secret-place.ts';
import { allowOnSecret, type Secrets } from '../data/secrets.ts';
import { customResourceTimeout, type SlipwayFunction } from '../functions/function.ts';

export interface ApiKeysProps {
  /** The function that makes them. */
  keyMaker: SlipwayFunction;
  secrets: Secrets;
  /** Number of the key that CloudFront sends. */
  generation: number;
}

/** The keys with which CloudFront opens the API, and the first values of all secrets. */
export class ApiKeys extends Construct {
  /** The keys that API Gateway must accept, by generation. */
  readonly accepted: ReadonlyMap<number, string>;
  /** The one that CloudFront sends. */
  readonly current: string;

  constructor(scope: Construct, id: string, { keyMaker, secrets, generation }: ApiKeysProps) {
    super(scope, id);
    for (const purpose of secretPurposes) {
      allowOnSecret(keyMaker, secrets, { purpose, action: 'GetSecretValue' });
    }
    allowOnSecret(keyMaker, secrets, { purpose: 'api', action: 'PutSecretValue' });
    const others = secretPurposes.filter((one) => one !== 'api');
    const keys = new cdk.CustomResource(this, 'Keys', {
      resourceType: 'Custom::ApiKeys',
      serviceToken: keyMaker.functionArn,
      serviceTimeout: customResourceTimeout,
      properties: {
        SecretArn: secrets.place('api'),
        Generation: generation,
        OtherSecrets: others.map((one) => secrets.place(one)),
      },
    });
    const keyOf = (number: number) => keys.getAttString(`ApiKey${number}`);
    this.accepted = new Map(trustedGenerations(generation).map((one) => [one, keyOf(one)]));
    this.current = keyOf(generation);
  }
}
