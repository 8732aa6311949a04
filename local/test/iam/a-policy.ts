import type { Resource } from '../../assembly/resource.ts';
import { createIam } from '../../iam/iam.ts';

export function aResource(
  type: string,
  properties: Record<string, unknown>,
  logicalId = 'It',
): Resource {
  return { stack: 'Stack', logicalId, type, properties };
}

export const role = aResource('AWS::IAM::Role', {}, 'Role');

export function policy(...statements: object[]): Resource {
  return aResource('AWS::IAM::Policy', {
    Roles: ['Role'],
    PolicyDocument: { Version: '2012-10-17', Statement: statements },
  });
}

export function ask(
  resources: Resource[],
  action: string,
  resource: string,
  context?: Record<string, string>,
) {
  const iam = createIam([role, ...resources], ({ logicalId }) => logicalId);
  const { accessKeyId } = iam.credentialsFor('arn:aws:iam::000000000000:role/Role', 'fn');
  return iam.allows({ accessKeyId, action, resource, ...(context && { context }) });
}

export const bucket = 'arn:aws:s3:::bucket';
