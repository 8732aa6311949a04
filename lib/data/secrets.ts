import * as cdk from 'aws-cdk-lib';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { EnvironmentName } from '../../contract/environment.ts';
import {
  labelsOf,
  parseSecretPlace,
  type SecretPurpose,
  sharedPlace,
} from '../../contract/secrets/secret-place.ts';
import type { SlipwayFunction } from '../functions/function.ts';

const rotatedByOperator =
  'An operator replaces it in two steps (npm run admin -- rotate): a schedule would end what was signed, unnoticed (decision 0039).';
const replacedByDeployment =
  'A deployment replaces the key, because CloudFront must trust it first (decision 0039).';

/** The variable that holds the place of each purpose, and its secret where each has one of its own. */
const purposes = {
  media: {
    variable: 'MEDIA_KEY_SECRET',
    id: 'MediaKey',
    description: 'Slipway: private key that signs links to large files',
  },
  code: {
    variable: 'CODE_SECRET_ARN',
    id: 'CodeSecret',
    description: 'Slipway: HMAC key of sign-in codes',
  },
  access: {
    variable: 'ACCESS_SECRET_ARN',
    id: 'AccessSecret',
    description: 'Slipway: signs access cookies, owner links, previews and form tokens',
  },
  origin: {
    variable: 'ORIGIN_SECRET_ARN',
    id: 'OriginSecret',
    description: 'Slipway: proves to the API that a request came through CloudFront',
  },
} as const satisfies Record<
  SecretPurpose,
  { variable: EnvironmentName; id: string; description: string }
>;

/**
 * The secrets of an installation, by purpose. Secrets Manager bills each secret, so that all purposes share
 * one; staging labels keep them apart, and a policy names the labels that a function may read (decision 0127).
 */
export interface Secrets {
  /** What operators and functions know of a purpose; see `contract/secrets/secret-place.ts`. */
  place(purpose: SecretPurpose): string;
  /** Whether the purposes share a secret, so that a deployment has to make their first values. */
  isShared: boolean;
}

/** Creates the secrets in the scope itself: their logical ids are what parts a stage from its values. */
export function createSecrets(scope: Construct, layout: 'one' | 'four'): Secrets {
  if (layout === 'four') return separateSecrets(scope);
  const { secretArn } = newSecret(scope, 'Secrets', {
    // The values of the purposes have labels of their own. This one is never read.
    description: 'Slipway: keys of access, sign-in codes, CloudFront and media, by staging labels',
    reason: `${rotatedByOperator} ${replacedByDeployment}`,
  });
  return { isShared: true, place: (purpose) => sharedPlace(secretArn, purpose) };
}

function separateSecrets(scope: Construct): Secrets {
  const create = (purpose: SecretPurpose) => {
    const { id, description } = purposes[purpose];
    const isMedia = purpose === 'media';
    const reason = isMedia ? replacedByDeployment : rotatedByOperator;
    return newSecret(scope, id, { description, reason, isEmpty: isMedia }).secretArn;
  };
  const arns: Record<SecretPurpose, string> = {
    media: create('media'),
    code: create('code'),
    access: create('access'),
    origin: create('origin'),
  };
  return { isShared: false, place: (purpose) => arns[purpose] };
}

function newSecret(
  scope: Construct,
  id: string,
  {
    description,
    reason,
    isEmpty = false,
  }: { description: string; reason: string; isEmpty?: boolean },
): secretsmanager.Secret {
  const secret = new secretsmanager.Secret(scope, id, {
    description,
    ...(isEmpty ? {} : { generateSecretString: { excludePunctuation: true, passwordLength: 48 } }),
    removalPolicy: cdk.RemovalPolicy.RETAIN,
  });
  cdk.Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  return secret;
}

/**
 * Lets a function read the values of one purpose. The variable holds the place and never a value: everybody who
 * may read a function's configuration would see the value, and it would stay there when the secret is replaced.
 */
export function grantSecret(fn: SlipwayFunction, secrets: Secrets, purpose: SecretPurpose): void {
  fn.setVariable(purposes[purpose].variable, secrets.place(purpose));
  allowOnSecret(fn, secrets, { purpose, action: 'GetSecretValue' });
}

/** Allows an action on the values of one purpose. Writing cannot be limited to labels by a policy. */
export function allowOnSecret(
  fn: SlipwayFunction,
  secrets: Secrets,
  { purpose, action }: { purpose: SecretPurpose; action: 'GetSecretValue' | 'PutSecretValue' },
): void {
  const { arn, labels, isShared } = parseSecretPlace(secrets.place(purpose));
  const isLimited = isShared && action === 'GetSecretValue';
  // Without a label in the request the condition does not hold, and neither for an id of a version alone.
  const condition = {
    'ForAnyValue:StringEquals': { 'secretsmanager:VersionStage': Object.values(labels) },
  };
  fn.allow([`secretsmanager:${action}`], [arn], isLimited ? condition : undefined);
}

/** A reference that CloudFormation replaces by the current value of a purpose. */
export function secretReference(secrets: Secrets, purpose: SecretPurpose): string {
  const { arn, isShared } = parseSecretPlace(secrets.place(purpose));
  const options = isShared ? { versionStage: labelsOf(purpose).current } : {};
  return cdk.SecretValue.secretsManager(arn, options).unsafeUnwrap();
}
