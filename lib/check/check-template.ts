import { type CloudAssembly, SynthesisMessageLevel } from 'aws-cdk-lib/cx-api';
import {
  checkEdgeFunction,
  checkGatewayResponses,
  checkOriginGroups,
  checkPolicyHeaders,
  checkTenantOnly,
  checkVariables,
} from './limits.ts';
import { checkPermissions } from './permissions.ts';
import { checkRequestLogs } from './request-logs.ts';
import { type Rule, Template } from './template.ts';

/**
 * Finds secrets whose value CloudFormation would write into a resource. Everybody who may read the
 * resource's configuration would see the value, and it would stay there when the secret is replaced.
 * Functions get the ARN and read the value themselves.
 *
 * The one exception is the header that CloudFront adds for an origin: CloudFront reads no secrets, so
 * its configuration must contain the value (decision 0039).
 */
const checkSecretReferences: Rule = ({ type, properties }) => {
  const checked =
    type === 'AWS::CloudFront::Distribution' ? withoutHeaders(properties) : properties;
  // A reference may be cut into pieces that CloudFormation joins; its beginning is always in one piece.
  return JSON.stringify(checked).includes('{{resolve:')
    ? ['a reference writes the value of a secret into this resource']
    : [];
};

function withoutHeaders(properties: Record<string, unknown>): unknown {
  return JSON.parse(
    JSON.stringify(properties, (name, value: unknown) =>
      name === 'OriginCustomHeaders' ? undefined : value,
    ),
  );
}

const rules: readonly Rule[] = [
  checkPermissions,
  checkGatewayResponses,
  checkEdgeFunction,
  checkPolicyHeaders,
  checkTenantOnly,
  checkOriginGroups,
  checkVariables,
  checkRequestLogs,
  checkSecretReferences,
];

/**
 * Finds mistakes in a template that the CDK's own validation misses: what AWS would refuse at
 * deployment, and what it would accept and run wrongly. Each finding names the resource.
 */
export function checkTemplate(template: unknown): string[] {
  return Object.entries(Template.parse(template).Resources).flatMap(([id, resource]) =>
    rules
      .flatMap((rule) => rule({ id, type: resource.Type, properties: resource.Properties }))
      .map((finding) => `${id}: ${finding}`),
  );
}

/** Throws one error with every finding in every stack. */
export function checkAssembly(assembly: CloudAssembly): void {
  const findings = assembly.stacks.flatMap((stack) =>
    checkTemplate(stack.template).map((finding) => `${stack.stackName}/${finding}`),
  );
  if (findings.length === 0) return;
  throw new Error(`The templates are not fit to deploy:\n${findings.join('\n')}`);
}

/** Throws one error with every warning and error that synthesis left in the stacks. */
export function checkWarnings(assembly: CloudAssembly): void {
  const findings = assembly.stacks
    .flatMap(({ messages }) => messages)
    .filter(({ level }) => level !== SynthesisMessageLevel.INFO)
    .map(({ id, entry }) => `${id}: ${JSON.stringify(entry.data)}`);
  if (findings.length > 0) throw new Error(`Synthesis warns:\n${findings.join('\n')}`);
}
