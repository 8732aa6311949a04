import { describe, expect, test } from '@jest/globals';
import { findRemovals } from '../../bin/stages/removals.ts';
import { type Json, ofType, onlyOf, type Synthesized, synthesize } from './synthesize.ts';

const { data } = await synthesize();
const tables = ofType(data, 'AWS::DynamoDB::Table').map((table) => table.Properties);
const bucket = onlyOf(data, 'AWS::S3::Bucket').Properties;

/** What functions may do with secrets: `<policy> <purpose> <action> <label of the condition>`. */
function readsOfSecrets(service: Synthesized): string[] {
  return Object.entries(service.Resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::Policy')
    .flatMap(([id, { Properties }]) => {
      const statements: Json[] = Properties.PolicyDocument.Statement;
      return statements.flatMap(usesOfSecrets).map((use) => `${id.slice(0, -8)} ${use}`);
    })
    .toSorted();
}

function usesOfSecrets({ Action, Resource, Condition }: Json): string[] {
  const allowed = Condition?.['ForAnyValue:StringEquals']?.['secretsmanager:VersionStage'];
  const [label = ''] = allowed ?? [];
  const isOfSecrets = (action: string) => action.startsWith('secretsmanager:');
  const actions: string[] = [Action].flat().filter(isOfSecrets);
  const purposes = [Resource].flat().map((resource) => ownPurpose(resource) ?? label.split('-')[0]);
  return actions.flatMap((action) => purposes.map((purpose) => `${purpose} ${action} ${label}`));
}

/** The purpose of a secret that has but one. */
function ownPurpose(resource: Json): string | undefined {
  const [name] = /MediaKey|(?:Access|Code|Origin)Secret/.exec(JSON.stringify(resource)) ?? [];
  return name?.replace(/Key|Secret/, '').toLowerCase();
}

describe('data stack', () => {
  test('keeps every resource when the stack or the resource is deleted', () => {
    for (const resource of Object.values(data.Resources)) {
      expect(resource).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    }
  });

  test('has tables, one bucket and one secret, and nothing that runs', () => {
    const types = Object.values(data.Resources).map((resource) => resource.Type);
    expect(types.toSorted()).toEqual([
      ...Array(7).fill('AWS::DynamoDB::Table'),
      'AWS::S3::Bucket',
      'AWS::SecretsManager::Secret',
    ]);
  });

  test('a stage with four secrets keeps them, and cannot lose them by a deployment', async () => {
    const { data: four } = await synthesize({ secrets: 'four' });
    const secretIds = Object.keys(four.Resources).filter(
      (id) => four.Resources[id]?.Type === 'AWS::SecretsManager::Secret',
    );
    // CloudFormation knows the secrets of stages from before the setting by these ids.
    expect(secretIds.toSorted()).toEqual([
      'AccessSecret7FF41900',
      'CodeSecretC59CE39F',
      'MediaKey78E57B5A',
      'OriginSecret5DDC59F1',
    ]);
    expect(findRemovals(JSON.stringify(four), four)).toEqual([]);
    expect(findRemovals(JSON.stringify(four), data).toSorted()).toEqual(
      secretIds.toSorted().map((id) => `${id}: a secret would be removed`),
    );
  });

  test('with four secrets a function reads the same purposes, each by its secret, and no first values are made', async () => {
    const { service: shared } = await synthesize();
    const { service } = await synthesize({ secrets: 'four' });
    const [keyPair] = ofType(service, 'Custom::MediaKey');
    expect(keyPair?.Properties).not.toHaveProperty('OtherSecrets');
    const read = readsOfSecrets(service);
    expect(JSON.stringify(read)).not.toContain('VersionStage');
    // The function that makes all first values there makes the media key alone here.
    const isOfMediaKey = (line: string) => line.startsWith('MediaKeyRole');
    expect(read.filter(isOfMediaKey).toSorted()).toEqual([
      expect.stringMatching(/^MediaKeyRole\w* media secretsmanager:GetSecretValue $/),
      expect.stringMatching(/^MediaKeyRole\w* media secretsmanager:PutSecretValue $/),
    ]);
    const withoutCondition = (line: string) => line.replace(/ [^ ]*$/, ' ');
    const others = readsOfSecrets(shared).filter((line) => !isOfMediaKey(line));
    expect(others.length).toBeGreaterThan(8);
    expect(read.filter((line) => !isOfMediaKey(line))).toEqual(others.map(withoutCondition));
    const texts = ofType(service, 'AWS::CloudFront::Distribution').map((one) =>
      JSON.stringify(one),
    );
    for (const text of texts) expect(text).toMatch(/OriginSecret.*:SecretString:::}}/);
  });

  test('protects every table: encrypted, restorable, on demand, with time to live', () => {
    expect(tables).toHaveLength(7);
    for (const table of tables) {
      expect(table).toMatchObject({
        SSESpecification: { SSEEnabled: true },
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
