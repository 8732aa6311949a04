import * as z from 'zod';
import type { Resource } from '../http/http.ts';
import { StartError } from '../start-error.ts';
import { matchesWildcard } from './wildcard.ts';

/** One `AWS::Lambda::Permission`. */
const Permission = z.strictObject({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  FunctionUrlAuthType: z.enum(['AWS_IAM', 'NONE']).optional(),
  InvokedViaFunctionUrl: z.boolean().optional(),
});

/** A service of AWS that wants to call a function. */
export interface FunctionCaller {
  action: 'lambda:InvokeFunction' | 'lambda:InvokeFunctionUrl';
  functionArn: string;
  /** `events.amazonaws.com` */
  principal: string;
  sourceArn: string;
}

/** Answers whether the templates' permissions let a service call a function. */
export function lambdaPermissions(resources: Resource[]): (caller: FunctionCaller) => boolean {
  const permissions = resources
    .filter(({ type }) => type === 'AWS::Lambda::Permission')
    .map((resource) => {
      const parsed = Permission.safeParse(resource.properties);
      if (parsed.success) return parsed.data;
      throw new StartError(
        `AWS::Lambda::Permission ${resource.logicalId}: ${z.prettifyError(parsed.error)}`,
      );
    });
  return ({ action, functionArn, principal, sourceArn }) =>
    permissions.some((permission) => {
      const { Action, FunctionName, Principal, SourceArn } = permission;
      if (Action !== action || Principal !== principal) return false;
      if (FunctionName !== functionArn && FunctionName !== functionArn.split(':').at(-1))
        return false;
      return SourceArn === undefined || matchesWildcard(SourceArn, sourceArn);
    });
}
