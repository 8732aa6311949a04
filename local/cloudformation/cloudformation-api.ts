import { arn } from '../assembly/resource-type.ts';
import { escapeXml, type ServiceServer } from '../http/service-server.ts';
import { ServiceError } from '../errors.ts';
import {
  awsXml,
  type ServiceDeps,
  startSignedService,
  xmlAnswer,
} from '../signatures/signed-service.ts';

/** A stack as CloudFormation describes it. */
export interface DeployedStack {
  name: string;
  template: unknown;
  outputs: { key: string; value: string }[];
}

export interface CloudFormationOptions extends ServiceDeps {
  stacks: () => DeployedStack[];
}

const ACTIONS: Record<string, (stack: DeployedStack) => string> = {
  DescribeStacks: (stack) => `<Stacks><member>${describeStack(stack)}</member></Stacks>`,
  GetTemplate: ({ template }) =>
    `<TemplateBody>${escapeXml(JSON.stringify(template))}</TemplateBody>`,
};

function describeStack({ name, outputs }: DeployedStack): string {
  const members = outputs.map(
    ({ key, value }) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${escapeXml(value)}</OutputValue></member>`,
  );
  return `<StackName>${name}</StackName><StackId>${arn('cloudformation', `stack/${name}/local`)}</StackId><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs>`;
}

/** Starts CloudFormation (Query protocol): the outputs and the templates of the stacks, for operators. */
export function startCloudFormation(options: CloudFormationOptions): Promise<ServiceServer> {
  const kind = { service: 'cloudformation', protocol: awsXml };
  return startSignedService(options, kind, ({ body, requirePermission }) => {
    const form = new URLSearchParams(body.toString('utf8'));
    const [action, name] = [form.get('Action') ?? '', form.get('StackName') ?? ''];
    const describe = ACTIONS[action];
    if (describe === undefined) {
      const message = `The local CloudFormation does not support the action ${action}.`;
      throw new ServiceError('InvalidAction', message);
    }
    requirePermission(`cloudformation:${action}`, arn('cloudformation', `stack/${name}/local`));
    const stack = options.stacks().find((one) => one.name === name);
    if (stack === undefined) {
      throw new ServiceError('ValidationError', `Stack with id ${name} does not exist`);
    }
    return xmlAnswer(
      `<${action}Response><${action}Result>${describe(stack)}</${action}Result></${action}Response>`,
    );
  });
}
