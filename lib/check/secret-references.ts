import type { Rule } from './template.ts';

/**
 * Finds secrets whose value CloudFormation would write into a resource. Everybody who may read the
 * resource's configuration would see the value, and it would stay there when the secret is replaced.
 * Functions get the ARN and read the value themselves.
 *
 * The one exception is the header that CloudFront adds for an origin: CloudFront reads no secrets, so
 * its configuration must contain the value (decision 0039).
 */
export const checkSecretReferences: Rule = ({ type, properties }) => {
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
