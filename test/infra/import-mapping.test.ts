import { describe, expect, test } from '@jest/globals';
import { importMapping } from '../../lib/data/import-mapping.ts';
import { fullSettings, synthesize } from './synthesize.ts';

const { data } = await synthesize(fullSettings);

/** What `list-stack-resources` says of a data stack. */
const listed = {
  StackResourceSummaries: [
    ...Object.entries(data.Resources).map(([id, { Type }]) => ({
      LogicalResourceId: id,
      PhysicalResourceId: Type.endsWith('Secret')
        ? `arn:aws:secretsmanager:us-east-1:1:secret:${id}`
        : `slipway-${id}`,
    })),
    { LogicalResourceId: 'CDKMetadata', PhysicalResourceId: 'x' },
  ],
};

describe('what a destroyed stack left', () => {
  test('is mapped to every resource of the data stack', () => {
    const mapping = importMapping(data, listed);
    expect(Object.keys(mapping).toSorted()).toEqual(Object.keys(data.Resources).toSorted());
    const bucket = Object.entries(data.Resources).find(([, { Type }]) => Type.endsWith('Bucket'));
    const id = bucket?.[0] ?? '';
    expect(mapping[id]).toEqual({ BucketName: `slipway-${id}` });
  });

  test('can be imported: every resource is retained, and none has a fixed name', () => {
    for (const resource of Object.values(data.Resources)) {
      expect(resource).toMatchObject({ DeletionPolicy: 'Retain' });
      expect(resource.Properties).not.toHaveProperty('TableName');
      expect(resource.Properties).not.toHaveProperty('BucketName');
      // A connection group must have one.
      if (resource.Type !== 'AWS::CloudFront::ConnectionGroup')
        expect(resource.Properties).not.toHaveProperty('Name');
    }
  });

  test('that lacks a resource is refused by its name', () => {
    const [first, ...others] = listed.StackResourceSummaries;
    expect(() => importMapping(data, { StackResourceSummaries: others })).toThrow(
      `${first?.LogicalResourceId}: the listed stack has no such resource.`,
    );
  });

  test('of another type is refused', () => {
    const template = { Resources: { Rule: { Type: 'AWS::Events::Rule' } } };
    expect(() => importMapping(template, listed)).toThrow(
      'Rule: AWS::Events::Rule cannot be imported.',
    );
  });
});
