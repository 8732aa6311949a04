import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { arn, globalArn } from '../assembly/resource-type.ts';
import { physicalId } from '../assembly/resource-types.ts';
import { type Resource, resourcesOfType } from '../assembly/resource.ts';
import type { Iam } from '../iam/iam.ts';
import { stateFile } from '../state/state-file.ts';

/** Access to tables, content and edge of a running local cloud, for operator commands. */
export const OperatorAccess = z.object({
  /** The service's URL; its clock may have been moved. */
  baseUrl: z.string(),
  endpoint: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** Table names by the functions' environment variables: `{ SITES_TABLE: "…" }`. */
  tables: z.record(z.string(), z.string()),
  /** Secrets Manager's URL, and secret ARNs by the functions' environment variables. */
  secrets: z.object({ endpoint: z.string(), arns: z.record(z.string(), z.string()) }),
  /** CloudFormation's URL, and who may sign up. */
  cloudFormation: z.object({ endpoint: z.string() }),
  signUpPolicy: z.string(),
  /** CloudFront's control plane, with the tenant to invalidate. */
  edge: z.object({
    endpoint: z.string(),
    tenantId: z.string(),
    distributions: z.array(z.string()),
  }),
  /** S3 with the content bucket, and the domain of the sites, with its port. */
  content: z.object({ endpoint: z.string(), bucket: z.string(), sitesDomain: z.string() }),
});
export type OperatorAccess = z.infer<typeof OperatorAccess>;

const ROLE_NAME = 'slipway-operator';

/** The operator's role, which no function has. It must be among the resources of `createIam`. */
export const operatorRole: Resource = {
  stack: 'local',
  logicalId: 'Operator',
  type: 'AWS::IAM::Role',
  properties: {
    RoleName: ROLE_NAME,
    Policies: [
      {
        PolicyName: 'Operating',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            { Effect: 'Allow', Action: 'dynamodb:*', Resource: arn('dynamodb', 'table/*') },
            {
              Effect: 'Allow',
              Action: 'cloudfront:CreateInvalidationForDistributionTenant',
              Resource: globalArn('cloudfront', 'distribution-tenant/*'),
            },
            {
              Effect: 'Allow',
              Action: ['cloudfront:GetDistribution', 'cloudfront:UpdateDistribution'],
              Resource: globalArn('cloudfront', 'distribution/*'),
            },
            {
              Effect: 'Allow',
              Action: [
                'secretsmanager:GetSecretValue',
                'secretsmanager:PutSecretValue',
                'secretsmanager:UpdateSecretVersionStage',
              ],
              Resource: arn('secretsmanager', 'secret:*'),
            },
            {
              Effect: 'Allow',
              Action: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
              Resource: arn('cloudformation', 'stack/*'),
            },
            { Effect: 'Allow', Action: 's3:*', Resource: 'arn:aws:s3:::*' },
          ],
        },
      },
    ],
  },
};

const Variables = z.object({
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});

function variablesOf(resources: readonly Resource[]): [string, string][] {
  return resourcesOfType(resources, 'AWS::Lambda::Function').flatMap(({ properties }) => {
    const { data } = Variables.safeParse(properties);
    const all = Object.entries(data?.Environment.Variables ?? {});
    return all.map(([name, value]): [string, string] => [name, String(value)]);
  });
}

function accessFile(stateDir: string): string {
  return join(stateDir, 'operator.json');
}

/**
 * Writes the operator's access into the state directory, readable by its owner only. Returns the function
 * that removes it. Credentials are new at every start, so an old file is useless.
 */
export function writeOperatorAccess(options: {
  stateDir: string;
  iam: Pick<Iam, 'credentialsFor'>;
  endpoints: {
    dynamoDb: string;
    s3: string;
    cloudFront: string;
    secretsManager: string;
    cloudFormation: string;
  };
  resources: readonly Resource[];
}): () => void {
  const { stateDir, iam, endpoints, resources } = options;
  const file = accessFile(stateDir);
  const credentials = iam.credentialsFor(globalArn('iam', `role/${ROLE_NAME}`), 'operator');
  const variables = variablesOf(resources);
  const {
    BASE_URL: baseUrl = '',
    CONTENT_BUCKET = '',
    SITES_DOMAIN = '',
    SITES_TENANT_ID: tenantId = '',
    SIGN_UP_POLICY: signUpPolicy = '',
  } = Object.fromEntries(variables);
  stateFile(file, OperatorAccess.nullable(), null).write({
    baseUrl,
    endpoint: endpoints.dynamoDb,
    ...credentials,
    tables: Object.fromEntries(variables.filter(([name]) => name.endsWith('_TABLE'))),
    secrets: {
      endpoint: endpoints.secretsManager,
      arns: Object.fromEntries(variables.filter(([name]) => name.endsWith('_SECRET_ARN'))),
    },
    cloudFormation: { endpoint: endpoints.cloudFormation },
    signUpPolicy,
    edge: {
      endpoint: endpoints.cloudFront,
      tenantId,
      distributions: resourcesOfType(resources, 'AWS::CloudFront::Distribution').map(physicalId),
    },
    content: { endpoint: endpoints.s3, bucket: CONTENT_BUCKET, sitesDomain: SITES_DOMAIN },
  });
  return () => rmSync(file, { force: true });
}

/** The operator's access to the running local cloud; undefined if none is running. */
export function readOperatorAccess(stateDir: string): OperatorAccess | undefined {
  return stateFile(accessFile(stateDir), OperatorAccess.nullable(), null).read() ?? undefined;
}

/** Services whose calls are counted; `billed` counts units of price lists that are not calls. */
type Service = 'acm' | 'dynamodb' | 's3' | 'lambda' | 'cloudfront' | 'sqs' | 'billed';

/** Counts of service calls since the last reset. */
export type CallCounts = ReturnType<typeof callCounts>;

/** Counts calls, for tests and for measuring the cost of a request. */
export function callCounts() {
  let counts: Record<string, Record<string, number>> = { dynamodb: {}, s3: {}, lambda: {} };
  return {
    add(service: Service, name: string, count: number = 1) {
      const of = (counts[service] ??= {});
      of[name] = (of[name] ?? 0) + count;
    },
    /** `{dynamodb: {"GetItem <table>": 1}, s3: {"s3:GetObject": 1}, lambda: {"<function>": 1}, billed: {"read units": 0.5}}` */
    snapshot: () => structuredClone(counts),
    reset() {
      counts = { dynamodb: {}, s3: {}, lambda: {} };
    },
  };
}
