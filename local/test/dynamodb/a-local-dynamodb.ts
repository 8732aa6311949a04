import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PartitionLimits } from '../../dynamodb/partition-limits.ts';
import { movableClock } from '../../time/clock.ts';
import { startDynamoDb } from '../../dynamodb/dynamodb.ts';
import type { Resource } from '../../assembly/resource.ts';
import { createIam } from '../../iam/iam.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/items';

export const tableResource: Resource = {
  stack: 'Stack',
  logicalId: 'Items',
  type: 'AWS::DynamoDB::Table',
  properties: {
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'shard', AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byShard',
        KeySchema: [{ AttributeName: 'shard', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    StreamSpecification: { StreamViewType: 'OLD_IMAGE' },
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
  },
};

export interface Grant {
  actions: string[];
  resources?: string[];
}

/** A table `items` with a client that may do what `grants` say; close it at the end. */
export async function aLocalDynamoDb(
  grants: Grant[],
  {
    stateDir = temporaryFolder('dynamodb'),
    table = tableResource,
    partitionLimits,
  }: { stateDir?: string; table?: Resource; partitionLimits?: PartitionLimits } = {},
) {
  const policy: Resource = {
    stack: 'Stack',
    logicalId: 'Policy',
    type: 'AWS::IAM::Policy',
    properties: {
      Roles: ['Role'],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: grants.map(({ actions, resources = [tableArn] }) => ({
          Effect: 'Allow',
          Action: actions.map((action) => `dynamodb:${action}`),
          Resource: resources,
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
  const calls: string[] = [];
  const capacity: { kind: 'read' | 'write'; units: number }[] = [];
  const written: string[][] = [];
  const clock = movableClock();
  const local = await startDynamoDb({
    stateDir,
    clock,
    iam,
    tables: [{ resource: table, name: 'items' }],
    partitionLimits,
    onCall: (operation, name) => calls.push(`${operation} ${name}`),
    onCapacity: (kind, units) => capacity.push({ kind, units }),
    onWritten: (tables) => written.push(tables),
  });
  const credentials = iam.sessionFor('arn:aws:iam::000000000000:role/Role', 'fn');
  const client = new DynamoDBClient({
    endpoint: local.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
  const close = async () => {
    client.destroy();
    await local.close();
  };
  return { local, client, calls, capacity, written, clock, stateDir, close };
}
