import * as cdk from 'aws-cdk-lib';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { EnvironmentName } from '../../contract/environment.ts';
import { parseSecretPlace, secretPlace, type SecretPurpose } from '../../contract/secret-place.ts';
import type { SlipwayFunction } from '../functions/function.ts';

const rotatedByOperator =
  'An operator replaces it in two steps (npm run admin -- rotate): a schedule would end what was signed, unnoticed (decision 0039).';
const replacedByDeployment =
  'A deployment replaces the API key, because API Gateway must accept it first (decision 0070).';

/** The variable that holds the place of each purpose that functions read. */
const variables = {
  code: 'CODE_SECRET_ARN',
  access: 'ACCESS_SECRET_ARN',
  origin: 'ORIGIN_SECRET_ARN',
} as const satisfies Partial<Record<SecretPurpose, EnvironmentName>>;

/**
 * The secret of an installation. Secrets Manager bills each secret, so that all purposes share one; staging
 * labels keep them apart, and a policy names the labels that a function may read (decision 0039).
 */
export interface Secrets {
  /** What operators and functions know of a purpose; see `contract/secret-place.ts`. */
  place(purpose: SecretPurpose): string;
}

/** Creates the secret directly in the scope. If its logical id changed, a stage would lose its values. */
export function createSecrets(scope: Construct): Secrets {
  const secret = new secretsmanager.Secret(scope, 'Secrets', {
    // The values of the purposes have labels of their own. This one is never read.
    description:
      'Slipway: keys of access, sign-in codes, CloudFront and the API, by staging labels',
    generateSecretString: { excludePunctuation: true, passwordLength: 48 },
    removalPolicy: cdk.RemovalPolicy.RETAIN,
  });
  const reason = `${rotatedByOperator} ${replacedByDeployment}`;
  cdk.Validations.of(secret).acknowledge({ id: 'AwsSolutions-SMG4', reason });
  return { place: (purpose) => secretPlace(secret.secretArn, purpose) };
}

/**
 * Lets a function read the values of one purpose. The variable holds the place and never a value: everybody who
 * may read a function's configuration would see the value, and it would stay there when the secret is replaced.
 */
export function grantSecret(
  fn: SlipwayFunction,
  secrets: Secrets,
  purpose: keyof typeof variables,
): void {
  fn.setVariable(variables[purpose], secrets.place(purpose));
  allowOnSecret(fn, secrets, { purpose, action: 'GetSecretValue' });
}

/** Allows an action on the values of one purpose. Writing cannot be limited to labels by a policy. */
export function allowOnSecret(
  fn: SlipwayFunction,
  secrets: Secrets,
  { purpose, action }: { purpose: SecretPurpose; action: 'GetSecretValue' | 'PutSecretValue' },
): void {
  const { arn, labels } = parseSecretPlace(secrets.place(purpose));
  // The condition also refuses a request without a label, for example one that names only the id of a
  // version.
  const condition = {
    'ForAnyValue:StringEquals': { 'secretsmanager:VersionStage': Object.values(labels) },
  };
  fn.allow(
    [`secretsmanager:${action}`],
    [arn],
    action === 'GetSecretValue' ? condition : undefined,
  );
}

/** A reference that CloudFormation replaces by the current value of a purpose. */
export function secretReference(secrets: Secrets, purpose: SecretPurpose): string {
  const { arn, labels } = parseSecretPlace(secrets.place(purpose));
  return cdk.SecretValue.secretsManager(arn, { versionStage: labels.current }).unsafeUnwrap();
}
