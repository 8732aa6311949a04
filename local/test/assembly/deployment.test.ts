import { describe, expect, test } from '@jest/globals';
import { Deployment } from '../../assembly/deployment.ts';
import { readAssembly } from '../../assembly/read-assembly.ts';
import type { Resource } from '../../assembly/resource.ts';
import { aDeployment, anAssembly, type ATemplate } from './an-assembly.ts';

const table = {
  Type: 'AWS::DynamoDB::Table',
  Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] },
};

/** The resolved value of a template expression, read from the description of a secret. */
function valueOf(value: unknown, more: ATemplate = {}): unknown {
  const { Resources = {}, ...sections } = more;
  const holder = { Type: 'AWS::SecretsManager::Secret', Properties: { Description: value } };
  const deployment = aDeployment({ ...sections, Resources: { ...Resources, Holder: holder } });
  return deployment.resources().find(({ logicalId }) => logicalId === 'Holder')?.properties[
    'Description'
  ];
}

describe('intrinsic functions', () => {
  const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Stack-Table';

  test.each<[string, unknown, unknown]>([
    ['Ref of a table', { Ref: 'Table' }, 'Stack-Table'],
    ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['Fn::GetAtt', { 'Fn::GetAtt': ['Table', 'Arn'] }, tableArn],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Table.Arn' }, tableArn],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'AWS::AccountId' }, 1]] }, 'a-000000000000-1'],
    [
      'Fn::Sub',
      { 'Fn::Sub': '${Table}/${Table.Arn}/${!Kept}' },
      `Stack-Table/${tableArn}/\${Kept}`,
    ],
    [
      'Fn::Sub with variables',
      { 'Fn::Sub': ['${a}:${Table}', { a: { Ref: 'AWS::Partition' } }] },
      'aws:Stack-Table',
    ],
    [
      'Fn::Select of Fn::Split',
      { 'Fn::Select': [2, { 'Fn::Split': ['/', 'https://host/'] }] },
      'host',
    ],
  ])('%s', (_, value, expected) => {
    expect(valueOf(value, { Resources: { Table: table } })).toEqual(expected);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'an unknown function',
      { 'Fn::Cidr': ['10.0.0.0/8', 1, 1] },
      /Holder \(stack Stack\).*Fn::Cidr/,
    ],
    ['an unknown resource', { Ref: 'Nobody' }, /Holder \(stack Stack\).*no resource Nobody/],
    ['an unknown attribute', { 'Fn::GetAtt': ['Holder', 'Colour'] }, /no attribute Colour/],
    ['an export that nobody makes', { 'Fn::ImportValue': 'x' }, /no stack exports x/],
    ['a condition', { 'Fn::If': ['Maybe', 1, 2] }, /Holder \(stack Stack\).*Fn::If/],
  ])('refuses %s', (_, value, message) => {
    expect(() => valueOf(value)).toThrow(message);
  });
});

describe('the start fails for', () => {
  test.each<[string, ATemplate, RegExp]>([
    [
      'a resource type',
      { Resources: { A: { Type: 'AWS::EC2::Instance' } } },
      /AWS::EC2::Instance A \(stack Stack\).*does not know this resource type/,
    ],
    [
      'a property',
      { Resources: { A: { ...table, Properties: { LocalSecondaryIndexes: [] } } } },
      /Table A .*does not know the property LocalSecondaryIndexes/,
    ],
    ['a parameter', { Parameters: { Size: { Type: 'String' } } }, /Size is not supported/],
    ['a template section', { Transform: 'AWS::Serverless' }, /Transform/],
    ['a condition', { Resources: { A: { ...table, Condition: 'Never' } } }, /Condition/],
    [
      'a resource attribute',
      { Resources: { A: { ...table, CreationPolicy: {} } } },
      /CreationPolicy/,
    ],
  ])('unknown %s', (_, template, message) => {
    expect(() => aDeployment(template).resources()).toThrow(message);
  });

  test('no bootstrap parameter or rule of the CDK', () => {
    const template = {
      Parameters: { BootstrapVersion: { Type: 'AWS::SSM::Parameter::Value<String>' } },
      Rules: { CheckBootstrapVersion: {} },
    };
    expect(aDeployment(template).resources()).toEqual([]);
  });
});

test('resolves exports of another stack, which is deployed first', () => {
  const dir = anAssembly(
    {
      Service: {
        Resources: {
          Holder: {
            Type: 'AWS::SecretsManager::Secret',
            Properties: {
              Description: { 'Fn::ImportValue': { 'Fn::Sub': 'Data:${AWS::Region}' } },
            },
          },
        },
      },
      Data: {
        Resources: { Table: table },
        Outputs: { Out: { Value: { Ref: 'Table' }, Export: { Name: 'Data:us-east-1' } } },
      },
    },
    { Service: ['Data'] },
  );
  const assembly = readAssembly(dir);
  expect(assembly.stacks.map(({ name }) => name)).toEqual(['Data', 'Service']);
  const holder = new Deployment(assembly)
    .resources()
    .find(({ logicalId }) => logicalId === 'Holder');
  expect(holder?.properties['Description']).toBe('Data-Table');
  expect(new Deployment(assembly).assetPath('abc.zip')).toBe(`${dir}/asset.abc`);
});

describe('names', () => {
  test('of buckets are lowercase and fit', () => {
    const name = 'A'.repeat(80);
    const template = {
      Resources: {
        [name]: { Type: 'AWS::S3::Bucket' },
        Out: { Type: 'AWS::S3::BucketPolicy', Properties: { Bucket: { Ref: name } } },
      },
    };
    const policy = aDeployment(template)
      .resources()
      .find(({ logicalId }) => logicalId === 'Out');
    expect(policy?.properties['Bucket']).toMatch(/^stack-a+-[0-9a-f]{8}$/);
    expect(String(policy?.properties['Bucket'])).toHaveLength(63);
  });

  test('from a template are used', () => {
    const given = { ...table, Properties: { ...table.Properties, TableName: 'mine' } };
    expect(valueOf({ Ref: 'Table' }, { Resources: { Table: given } })).toBe('mine');
  });
});

describe('custom resources', () => {
  const template = {
    Resources: {
      Second: { Type: 'Custom::Second', Properties: { From: { 'Fn::GetAtt': ['First', 'Word'] } } },
      First: { Type: 'Custom::First', Properties: { ServiceToken: 'arn' } },
      Plain: { Type: 'AWS::SecretsManager::Secret', Properties: { Description: 'plain' } },
      Late: {
        Type: 'AWS::SecretsManager::Secret',
        Properties: { Description: { 'Fn::GetAtt': ['Second', 'Word'] } },
      },
    },
  };

  test('run in the order of their dependencies', async () => {
    const deployment = aDeployment(template);
    expect(deployment.resources().map(({ logicalId }) => logicalId)).toEqual(['Plain']);
    const ran: Resource[] = [];
    const all = await deployment.complete(async (resource) => {
      ran.push(resource);
      return { physicalId: 'id', data: { Word: `${resource.logicalId}!` } };
    });
    expect(ran.map(({ logicalId }) => logicalId)).toEqual(['First', 'Second']);
    expect(ran[1]?.properties['From']).toBe('First!');
    expect(all.map(({ properties }) => properties['Description'])).toEqual(['plain', 'Second!']);
  });

  test('with circular dependencies stop the start', async () => {
    const circle = {
      Resources: {
        A: { Type: 'Custom::A', DependsOn: 'B' },
        B: { Type: 'Custom::B', DependsOn: ['A'] },
      },
    };
    const run = async () => ({ physicalId: 'id', data: {} });
    await expect(aDeployment(circle).complete(run)).rejects.toThrow(/depend on each other/);
  });
});
