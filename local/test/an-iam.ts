import type { Resource } from '../assembly/resource.ts';
import { createIam } from '../iam/iam.ts';

/** A role that may do `actions` on `resource`, and credentials of a function that holds it. */
export function anIam(actions: string[], conditions?: object, resource = '*') {
  const policy: Resource = {
    stack: 'Stack',
    logicalId: 'Policy',
    type: 'AWS::IAM::Policy',
    properties: {
      Roles: ['Role'],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: actions.map((Action) => ({
          Effect: 'Allow',
          Action,
          Resource: resource,
          ...(conditions && { Condition: conditions }),
        })),
      },
    },
  };
  const role: Resource = {
    stack: 'Stack',
    logicalId: 'Role',
    type: 'AWS::IAM::Role',
    properties: {},
  };
  const iam = createIam([role, policy], ({ logicalId }) => logicalId);
  return { iam, credentials: iam.sessionFor('arn:aws:iam::000000000000:role/Role', 'fn') };
}
