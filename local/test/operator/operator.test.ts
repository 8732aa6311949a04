import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { physicalId } from '../../assembly/resource-types.ts';
import type { Resource } from '../../assembly/resource.ts';
import { createIam } from '../../iam/iam.ts';
import { writeOperatorAccess, operatorRole, readOperatorAccess } from '../../operator/operator.ts';

const functionWith = (Variables: Record<string, unknown>): Resource => ({
  stack: 'Service',
  logicalId: 'Fn',
  type: 'AWS::Lambda::Function',
  properties: { Environment: { Variables } },
});

const resources: Resource[] = [
  functionWith({ ACCOUNTS_TABLE: 'Data-Accounts', BASE_URL: 'http://localhost' }),
  functionWith({ SITES_TABLE: 'Data-Sites', ACCOUNTS_TABLE: 'Data-Accounts' }),
  functionWith({
    SITES_TENANT_ID: 'Tenant',
    CONTENT_BUCKET: 'data-content',
    SITES_DOMAIN: 'sites.localhost:1',
  }),
  { ...functionWith({}), properties: {} },
];

let stateDir: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'operator-'));
});

afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

function offer() {
  const iam = createIam([operatorRole], physicalId);
  const endpoints = {
    dynamoDb: 'http://127.0.0.1:1',
    cloudFront: 'http://127.0.0.1:2',
    s3: 'http://127.0.0.1:3',
    cloudFormation: 'http://127.0.0.1:6',
    secretsManager: 'http://127.0.0.1:4',
  };
  return { iam, withdraw: writeOperatorAccess({ stateDir, iam, endpoints, resources }) };
}

describe('the access of the operator', () => {
  test('has endpoints, tables and bucket under the functions’ variable names, and the tenant', () => {
    offer();
    expect(readOperatorAccess(stateDir)).toMatchObject({
      endpoint: 'http://127.0.0.1:1',
      tables: { ACCOUNTS_TABLE: 'Data-Accounts', SITES_TABLE: 'Data-Sites' },
      edge: { endpoint: 'http://127.0.0.1:2', tenantId: 'Tenant' },
      content: {
        endpoint: 'http://127.0.0.1:3',
        bucket: 'data-content',
        sitesDomain: 'sites.localhost:1',
      },
    });
  });

  test('allows every table, the bucket and the edge’s cache, and nothing else', () => {
    const { iam } = offer();
    const accessKeyId = readOperatorAccess(stateDir)?.accessKeyId ?? '';
    const may = (action: string, resource: string) => iam.allows({ accessKeyId, action, resource });
    const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/Data-Accounts';
    expect(may('dynamodb:GetItem', table)).toBe(true);
    expect(may('dynamodb:UpdateItem', table)).toBe(true);
    const tenant = 'arn:aws:cloudfront::000000000000:distribution-tenant/Tenant';
    expect(may('cloudfront:CreateInvalidationForDistributionTenant', tenant)).toBe(true);
    expect(may('cloudfront:DeleteDistributionTenant', tenant)).toBe(false);
    expect(may('s3:PutObject', 'arn:aws:s3:::bucket/key')).toBe(true);
    expect(may('ses:SendRawEmail', '*')).toBe(false);
    expect(may('secretsmanager:GetSecretValue', '*')).toBe(false);
  });

  test('is readable only for the owner of the file', () => {
    offer();
    expect(statSync(join(stateDir, 'operator.json')).mode & 0o777).toBe(0o600);
  });

  test('is removed at the end, and new at every start', () => {
    const { withdraw } = offer();
    const first = readOperatorAccess(stateDir);
    withdraw();
    expect(readOperatorAccess(stateDir)).toBeUndefined();
    expect(readdirSync(stateDir)).toEqual([]);
    offer();
    const second = readOperatorAccess(stateDir);
    expect(second?.accessKeyId).not.toBe(first?.accessKeyId);
    expect(second?.secretAccessKey).not.toBe(first?.secretAccessKey);
  });

  test('is refused in the format of another version', () => {
    writeFileSync(join(stateDir, 'operator.json'), '{"endpoint":1}');
    expect(() => readOperatorAccess(stateDir)).toThrow('Start with --fresh');
  });
});
