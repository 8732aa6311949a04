import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { clientConfig, type OperatorReach } from './operator-client.ts';

/** Reads deployed stacks from CloudFormation. */
export interface DeployedStacks {
  /** The outputs of a stack; undefined if there is no such stack. */
  outputs(stack: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** Its state, such as `CREATE_COMPLETE`; undefined if there is no such stack. */
  status(stack: string): Promise<string | undefined>;
  /**
   * The template that is deployed, as JSON text; undefined if there is no such stack, or nothing of
   * it was deployed.
   */
  template(stack: string): Promise<string | undefined>;
}

/** CloudFormation for one command. */
export function deployedStacks(reach: OperatorReach): DeployedStacks {
  const client = new CloudFormationClient(clientConfig(reach));
  const describe = async (StackName: string) => {
    const command = new DescribeStacksCommand({ StackName });
    return (await client.send(command).catch(undefinedIfMissing))?.Stacks?.[0];
  };
  return {
    status: async (name) => (await describe(name))?.StackStatus,
    async outputs(StackName) {
      const stack = await describe(StackName);
      if (stack === undefined) return undefined;
      const outputs = stack.Outputs ?? [];
      return Object.fromEntries(
        outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
      );
    },
    async template(StackName) {
      if (!holdsResources((await describe(StackName))?.StackStatus)) return undefined;
      const command = new GetTemplateCommand({ StackName, TemplateStage: 'Original' });
      return (await client.send(command).catch(undefinedIfMissing))?.TemplateBody;
    },
  };
}

/**
 * Whether a stack has resources. A stack whose first creation was rolled back has none, and the CDK
 * deletes it first.
 */
export function holdsResources(status: string | undefined): boolean {
  return status !== undefined && !['ROLLBACK_COMPLETE', 'REVIEW_IN_PROGRESS'].includes(status);
}

/** CloudFormation has no error of its own for a stack that does not exist. */
function undefinedIfMissing(error: unknown): undefined {
  const isMissing =
    error instanceof Error &&
    error.name === 'ValidationError' &&
    error.message.includes('does not exist');
  if (!isMissing) throw error;
}
