import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { arn, globalArn } from '../assembly/resource-type.ts';
import { ofType, physicalId } from '../assembly/physical-id.ts';
import type { Resource } from '../http/http.ts';
import type { Iam } from '../iam/iam.ts';
import { stateFile } from '../state/state-file.ts';

/** How whoever runs the local cloud reaches its tables, its content and its edge while it runs. */
export const OperatorAccess = z.object({
  /** Of the service, whose clock may have been moved. */
  baseUrl: z.string(),
  endpoint: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  /** Physical names by the variable that functions get them in: `{ SITES_TABLE: "…" }`. */
  tables: z.record(z.string(), z.string()),
  /** Where secrets are replaced, and their ARNs by the variable that functions get them in. */
  secrets: z.object({ endpoint: z.string(), arns: z.record(z.string(), z.string()) }),
  /** Where CloudFront is told what the sites' tenant is to forget. */
  edge: z.object({
    endpoint: z.string(),
    tenantId: z.string(),
    distributions: z.array(z.string()),
  }),
  /** Where published bytes are, and the domain, with its port, of the sites that they belong to. */
  content: z.object({ endpoint: z.string(), bucket: z.string(), sitesDomain: z.string() }),
});
export type OperatorAccess = z.infer<typeof OperatorAccess>;

const ROLE_NAME = 'slipway-operator';

/** The operator's own role; no function has it. Put it among the resources that `createIam` reads. */
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
  return ofType(resources, 'AWS::Lambda::Function').flatMap(({ properties }) => {
    const { data } = Variables.safeParse(properties);
    const all = Object.entries(data?.Environment.Variables ?? {});
    return all.map(([name, value]): [string, string] => [name, String(value)]);
  });
}

function accessFile(stateDir: string): string {
  return join(stateDir, 'operator.json');
}

/**
 * Leaves the way to tables, content and edge in the state directory, for its owner alone; gives the function that
 * takes it away. The credentials are made anew at every start, so that an old file opens nothing.
 */
export function offerOperatorAccess(options: {
  stateDir: string;
  iam: Pick<Iam, 'credentialsFor'>;
  endpoints: { dynamoDb: string; s3: string; cloudFront: string; secretsManager: string };
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
    edge: {
      endpoint: endpoints.cloudFront,
      tenantId,
      distributions: ofType(resources, 'AWS::CloudFront::Distribution').map(physicalId),
    },
    content: { endpoint: endpoints.s3, bucket: CONTENT_BUCKET, sitesDomain: SITES_DOMAIN },
  });
  return () => rmSync(file, { force: true });
}

/** What a running local cloud left in its state directory; undefined when none runs. */
export function readOperatorAccess(stateDir: string): OperatorAccess | undefined {
  return stateFile(accessFile(stateDir), OperatorAccess.nullable(), null).read() ?? undefined;
}
