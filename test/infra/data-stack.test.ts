import { describe, expect, test } from '@jest/globals';
import { findRemovals } from '../../bin/stages/run-stage.ts';
import { ofType, onlyOf, synthesize } from './synthesize.ts';

const { data } = await synthesize();
const tables = ofType(data, 'AWS::DynamoDB::Table').map((table) => table.Properties);
const bucket = onlyOf(data, 'AWS::S3::Bucket').Properties;

describe('data stack', () => {
  test('keeps every resource when the stack or the resource is deleted', () => {
    for (const resource of Object.values(data.Resources)) {
      expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  test('has tables, one bucket, one secret and the address of custom domains, and nothing that runs', () => {
    const types = Object.values(data.Resources).map((resource) => resource.Type);
    expect(types.toSorted()).toEqual([
      'AWS::CloudFront::ConnectionGroup',
      ...Array(7).fill('AWS::DynamoDB::Table'),
      'AWS::S3::Bucket',
      'AWS::SecretsManager::Secret',
    ]);
  });

  test('cannot lose its secret by a deployment', () => {
    const { Resources } = data;
    const others = Object.entries(Resources).filter(([, { Type }]) => !Type.endsWith('::Secret'));
    const secretIds = Object.keys(Resources).filter((id) =>
      Resources[id]?.Type.endsWith('::Secret'),
    );
    const without = { Resources: Object.fromEntries(others) };
    expect(findRemovals(JSON.stringify(data), data)).toEqual([]);
    expect(findRemovals(JSON.stringify(data), without)).toEqual(
      secretIds.map((id) => `${id}: a secret would be removed`),
    );
  });

  test('protects every table: encrypted with the free key of DynamoDB, restorable, on demand, with time to live', () => {
    expect(tables).toHaveLength(7);
    for (const table of tables) {
      expect(table).not.toHaveProperty('SSESpecification.SSEEnabled', true);
      expect(table).toMatchObject({
        PointInTimeRecoverySpecification: {
          PointInTimeRecoveryEnabled: true,
          RecoveryPeriodInDays: 7,
        },
        DeletionProtectionEnabled: true,
        BillingMode: 'PAY_PER_REQUEST',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      });
    }
  });

  test('has the keys that the repositories use', () => {
    const keys: string[] = tables.map((table) =>
      table.KeySchema.map((key: { AttributeName: string }) => key.AttributeName).join('+'),
    );
    expect(keys.toSorted()).toEqual(['host', 'key', 'key', 'pk+sk', 'pk+sk', 'pk+sk', 'pk+sk']);
  });

  test('indexes due rows and the rows of accounts, and streams deletions', () => {
    const index = (IndexName: string, hash: string, range: string, ProjectionType: string) => ({
      IndexName,
      KeySchema: [
        { AttributeName: hash, KeyType: 'HASH' },
        { AttributeName: range, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType },
    });
    const projects = tables.find((table) => table.GlobalSecondaryIndexes !== undefined);
    expect(projects).toMatchObject({
      StreamSpecification: { StreamViewType: 'OLD_IMAGE' },
      GlobalSecondaryIndexes: [
        index('byDue', 'dueShard', 'dueAt', 'KEYS_ONLY'),
        index('byOwner', 'ownerState', 'listedAt', 'ALL'),
      ],
    });
  });

  test('keeps the bucket private and encrypted', () => {
    expect(bucket).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
        ],
      },
    });
  });

  test('keeps deleted files as long as deleted rows, and staged uploads for a day', async () => {
    expect(bucket.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    const { data: longer } = await synthesize({ backupDays: 35 });
    for (const [template, days] of [
      [data, 7],
      [longer, 35],
    ] as const) {
      const { Rules } = onlyOf(template, 'AWS::S3::Bucket').Properties.LifecycleConfiguration;
      expect(Rules).toContainEqual({
        Id: 'backups',
        Status: 'Enabled',
        Prefix: 'content/',
        NoncurrentVersionExpiration: { NoncurrentDays: days },
        ExpiredObjectDeleteMarker: true,
      });
      for (const { Properties } of ofType(template, 'AWS::DynamoDB::Table')) {
        expect(Properties.PointInTimeRecoverySpecification.RecoveryPeriodInDays).toBe(days);
      }
    }
  });

  test('no function may read, list or delete earlier versions', async () => {
    const { service } = await synthesize();
    const policies = ofType(service, 'AWS::IAM::Policy');
    expect(policies.length).toBeGreaterThan(10);
    for (const policy of policies) expect(JSON.stringify(policy)).not.toMatch(/s3:\w*Version/);
  });

  test("takes large files from the app's own pages only", () => {
    expect(bucket.CorsConfiguration).toEqual({
      CorsRules: [
        {
          AllowedOrigins: ['https://app.example.com'],
          AllowedMethods: ['PUT'],
          AllowedHeaders: ['content-type'],
          MaxAge: 3600,
        },
      ],
    });
  });

  test('deletes abandoned uploads after a day and never expires published files', () => {
    expect(bucket.LifecycleConfiguration.Rules).toEqual([
      {
        Id: 'abandoned-multipart-uploads',
        Status: 'Enabled',
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
      {
        Id: 'abandoned-uploads',
        Status: 'Enabled',
        Prefix: 'temp/',
        ExpirationInDays: 1,
        NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      },
      expect.objectContaining({ Id: 'backups' }),
    ]);
  });

  test('makes an origin secret that fits into a header', () => {
    const made = ofType(data, 'AWS::SecretsManager::Secret').map(
      (secret) => secret.Properties.GenerateSecretString,
    );
    expect(made).toContainEqual({ ExcludePunctuation: true, PasswordLength: 48 });
  });
});
