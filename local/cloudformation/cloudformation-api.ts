import { randomUUID } from 'node:crypto';
import { arn } from '../assembly/resource-type.ts';
import {
  escapeXml,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../http/service-server.ts';
import type { Iam } from '../iam/iam.ts';
import { queryRefusalCode, signerOf } from '../signatures/signed-call.ts';
import type { Clock } from '../time/clock.ts';

/** A stack as CloudFormation describes it. */
export interface DeployedStack {
  name: string;
  template: unknown;
  outputs: { key: string; value: string }[];
}

export interface CloudFormationOptions {
  clock: Pick<Clock, 'now'>;
  iam: Pick<Iam, 'allows' | 'callerArn' | 'secretFor'>;
  stacks: () => DeployedStack[];
}

class CloudFormationError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const NAMESPACE = 'http://cloudformation.amazonaws.com/doc/2010-05-15/';

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

function answer(options: CloudFormationOptions, request: ServiceRequest): string {
  const { iam, stacks } = options;
  const form = new URLSearchParams(request.body.toString('utf8'));
  const [action, name] = [form.get('Action') ?? '', form.get('StackName') ?? ''];
  const describe = ACTIONS[action];
  if (describe === undefined) {
    throw new CloudFormationError(
      'InvalidAction',
      `The local CloudFormation does not support the action ${action}.`,
    );
  }
  const accessKeyId = signerOf(
    request,
    { ...options, service: 'cloudformation' },
    (reason, message) => new CloudFormationError(queryRefusalCode(reason), message, 403),
  );
  const resource = arn('cloudformation', `stack/${name}/local`);
  if (!iam.allows({ accessKeyId, action: `cloudformation:${action}`, resource })) {
    throw new CloudFormationError(
      'AccessDenied',
      `User: ${iam.callerArn(accessKeyId)} is not authorized to perform: cloudformation:${action} on resource: ${resource}`,
      403,
    );
  }
  const stack = stacks().find((one) => one.name === name);
  if (stack === undefined) {
    throw new CloudFormationError('ValidationError', `Stack with id ${name} does not exist`);
  }
  return `<${action}Response xmlns="${NAMESPACE}"><${action}Result>${describe(stack)}</${action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${action}Response>`;
}

/** Starts CloudFormation (Query protocol): the outputs and the templates of the stacks, for operators. */
export function startCloudFormation(options: CloudFormationOptions): Promise<ServiceServer> {
  const headers = { 'content-type': 'text/xml' };
  return startServiceServer(options.clock, async (request) => {
    try {
      return { status: 200, headers, body: answer(options, request) };
    } catch (error) {
      if (!(error instanceof CloudFormationError)) throw error;
      const { code, status, message } = error;
      const body = `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
      return { status, headers, body };
    }
  });
}
