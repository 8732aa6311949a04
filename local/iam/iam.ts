import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT, arn } from '../assembly/resource-type.ts';
import { queueNameOf } from '../sqs/queue-url.ts';
import { StartError } from '../errors.ts';
import { type Context, isAllowed, parsePolicy, type Statement } from './policy.ts';
import { describeResource, parseProperties, type Resource } from '../assembly/resource.ts';

/** One call of a function to a service. */
export interface Call {
  accessKeyId: string;
  action: string;
  resource: string;
  context?: Context;
}

/** Checks calls against the roles and policies of the templates. */
export type Iam = ReturnType<typeof createIam>;

/**
 * AWS managed policies that functions may have: they allow logs and traces only, which the local cloud
 * does not keep.
 */
const KNOWN_MANAGED_POLICIES = new Set([
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole',
  'arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs',
  'arn:aws:iam::aws:policy/AWSXRayDaemonWriteAccess',
]);

const Role = z.object({
  RoleName: z.string().optional(),
  ManagedPolicyArns: z.array(z.string()).default([]),
  Policies: z.array(z.object({ PolicyName: z.string(), PolicyDocument: z.unknown() })).default([]),
});
const Policy = z.object({ PolicyDocument: z.unknown(), Roles: z.array(z.string()).default([]) });
const BucketPolicy = z.object({ Bucket: z.string(), PolicyDocument: z.unknown() });
const QueuePolicy = z.object({ Queues: z.array(z.string()), PolicyDocument: z.unknown() });

/** Connections on localhost count as encrypted, as they are when deployed. */
const TRANSPORT: Context = { 'aws:securetransport': 'true' };

function roleStatements(role: Resource): Statement[] {
  const { ManagedPolicyArns, Policies } = parseProperties(role, Role);
  const unknown = ManagedPolicyArns.find(
    (arn) => arn.startsWith('arn:aws:iam::aws:') && !KNOWN_MANAGED_POLICIES.has(arn),
  );
  if (unknown !== undefined) {
    throw new StartError(
      `${describeResource(role)}: the local cloud does not know what ${unknown} allows.`,
    );
  }
  return Policies.flatMap(({ PolicyDocument }) =>
    parsePolicy(PolicyDocument, describeResource(role)),
  );
}

/** Statements by role name. Policies name roles by `Ref`, which is the role's name. */
function statementsByRole(resources: Resource[], nameOf: (role: Resource) => string) {
  const byRole = new Map<string, Statement[]>();
  for (const role of resources.filter(({ type }) => type === 'AWS::IAM::Role')) {
    byRole.set(nameOf(role), roleStatements(role));
  }
  const policies = resources.filter(({ type }) => type === 'AWS::IAM::Policy');
  for (const policy of policies) {
    const { PolicyDocument, Roles } = parseProperties(policy, Policy);
    const statements = parsePolicy(PolicyDocument, describeResource(policy));
    for (const role of Roles) byRole.get(role)?.push(...statements);
  }
  return byRole;
}

function statementsByBucket(resources: Resource[]): Map<string, Statement[]> {
  const policies = resources.filter(({ type }) => type === 'AWS::S3::BucketPolicy');
  return new Map(
    policies.map((policy) => {
      const { Bucket, PolicyDocument } = parseProperties(policy, BucketPolicy);
      return [Bucket, parsePolicy(PolicyDocument, describeResource(policy))];
    }),
  );
}

/** Statements by the queue's ARN. Policies name queues by `Ref`, which is the queue's URL. */
function statementsByQueue(resources: Resource[]): Map<string, Statement[]> {
  const policies = resources.filter(({ type }) => type === 'AWS::SQS::QueuePolicy');
  return new Map(
    policies.flatMap((policy) => {
      const { Queues, PolicyDocument } = parseProperties(policy, QueuePolicy);
      const statements = parsePolicy(PolicyDocument, describeResource(policy));
      return Queues.map((url) => [arn('sqs', queueNameOf(url)), statements] as const);
    }),
  );
}

function roleNameOf(roleArn: string): string {
  return roleArn.split('/').at(-1) ?? roleArn;
}

function bucketOf(resource: string): string {
  return resource.startsWith('arn:aws:s3:::') ? (resource.slice(13).split('/')[0] ?? '') : '';
}

/**
 * Parses every role and policy. Functions may do only what their role allows, so that a missing permission
 * fails on the laptop and not after the deployment.
 */
export function createIam(resources: Resource[], roleName: (role: Resource) => string) {
  const roles = statementsByRole(resources, roleName);
  const buckets = statementsByBucket(resources);
  const queues = statementsByQueue(resources);
  const callers = iamCallers();

  const isRoleAllowed = (role: string, request: Omit<Call, 'accessKeyId'>): boolean => {
    const principal = { kind: 'AWS' as const, id: `arn:aws:iam::${ACCOUNT}:role/${role}` };
    const context = { ...TRANSPORT, ...request.context };
    const resourceStatements =
      buckets.get(bucketOf(request.resource)) ?? queues.get(request.resource);
    return isAllowed([...(roles.get(role) ?? []), ...(resourceStatements ?? [])], {
      ...request,
      principal,
      context,
    });
  };

  return {
    credentialsFor: (roleArn: string, name: string) =>
      callers.addLasting(roleNameOf(roleArn), name),
    sessionFor: (roleArn: string, functionName: string) =>
      callers.addSession(roleNameOf(roleArn), functionName),
    /** Undefined if the access key is unknown, or the token is not that of its session. */
    secretFor: (accessKeyId: string, sessionToken: string | undefined) =>
      callers.secretFor(accessKeyId, sessionToken),
    /** The caller's ARN for error messages: `arn:aws:sts::…:assumed-role/<role>/<function>`. */
    callerArn(accessKeyId: string) {
      const caller = callers.get(accessKeyId);
      return `arn:aws:sts::${ACCOUNT}:assumed-role/${caller?.role}/${caller?.name}`;
    },
    allows({ accessKeyId, ...request }: Call) {
      const caller = callers.get(accessKeyId);
      return caller !== undefined && isRoleAllowed(caller.role, request);
    },
    roleAllows: (roleArn: string, action: string, resource: string) =>
      isRoleAllowed(roleNameOf(roleArn), { action, resource }),
    /** Whether a bucket's policy allows an AWS service to do this. */
    bucketAllowsService(service: string, { context, ...request }: Omit<Call, 'accessKeyId'>) {
      return isAllowed(buckets.get(bucketOf(request.resource)) ?? [], {
        ...request,
        principal: { kind: 'Service', id: service },
        context: { ...TRANSPORT, ...context },
      });
    },
  };
}

/** Lasting credentials, as an IAM user has, new at every start. */
interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** A role's temporary credentials, as a function has: each call must carry the token. */
interface SessionCredentials extends Credentials {
  sessionToken: string;
}

interface Caller {
  secret: string;
  sessionToken: string | undefined;
  role: string;
  name: string;
}

/** STS names no size; tokens of roles have around 1,000 characters. As base64 these have 1,368. */
const TOKEN_BYTES = 1024;

function iamCallers() {
  const callers = new Map<string, Caller>();

  function add(kind: 'AKIA' | 'ASIA', caller: Omit<Caller, 'secret'>): Credentials {
    const accessKeyId = `${kind}LOCAL${randomBytes(6).toString('hex').toUpperCase()}`;
    const secret = randomBytes(30).toString('base64url');
    callers.set(accessKeyId, { ...caller, secret });
    return { accessKeyId, secretAccessKey: secret };
  }

  return {
    get: (accessKeyId: string): Omit<Caller, 'secret'> | undefined => callers.get(accessKeyId),
    addLasting: (role: string, name: string): Credentials =>
      add('AKIA', { role, name, sessionToken: undefined }),
    addSession(role: string, name: string): SessionCredentials {
      const sessionToken = randomBytes(TOKEN_BYTES).toString('base64');
      return { ...add('ASIA', { role, name, sessionToken }), sessionToken };
    },
    /** Undefined if the access key is unknown, or the token is not that of its session. */
    secretFor(accessKeyId: string, sessionToken: string | undefined): string | undefined {
      const caller = callers.get(accessKeyId);
      return caller?.sessionToken === sessionToken ? caller?.secret : undefined;
    },
  };
}
