import * as z from 'zod';
import { matchesWildcard } from './policy.ts';
import { resourcesOfType, type Resource, parseProperties } from '../assembly/resource.ts';

const Permission = z.strictObject({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  FunctionUrlAuthType: z.enum(['AWS_IAM', 'NONE']).optional(),
  InvokedViaFunctionUrl: z.boolean().optional(),
});

/** A call of a function by an AWS service. */
export interface FunctionCaller {
  action: 'lambda:InvokeFunction' | 'lambda:InvokeFunctionUrl';
  /** ARN or name. */
  functionArn: string;
  /** `events.amazonaws.com` */
  principal: string;
  sourceArn: string;
}

/** Returns the check whether the templates' permissions allow a service to call a function. */
export function lambdaPermissions(
  resources: readonly Resource[],
): (caller: FunctionCaller) => boolean {
  const permissions = resourcesOfType(resources, 'AWS::Lambda::Permission').map((resource) =>
    parseProperties(resource, Permission),
  );
  return ({ action, functionArn, principal, sourceArn }) =>
    permissions.some((permission) => {
      const { Action, FunctionName, Principal, SourceArn } = permission;
      if (Action !== action && Action !== 'lambda:*') return false;
      if (Principal !== principal || nameOf(FunctionName) !== nameOf(functionArn)) return false;
      return SourceArn === undefined || matchesWildcard(SourceArn, sourceArn);
    });
}

function nameOf(nameOrArn: string): string {
  return nameOrArn.split(':').at(-1) ?? nameOrArn;
}
