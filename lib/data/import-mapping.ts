import * as z from 'zod';
import { Template } from '../check/template.ts';

/** The property by which CloudFormation finds an existing resource, for each type of the data stack. */
const identifiers: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
  'AWS::CloudFront::ConnectionGroup': 'Id',
};

/** The output of `aws cloudformation list-stack-resources`. */
export const StackResources = z.object({
  StackResourceSummaries: z.array(
    z.object({
      LogicalResourceId: z.string(),
      PhysicalResourceId: z.string().optional(),
    }),
  ),
});
export type StackResources = z.infer<typeof StackResources>;

/**
 * The mapping for `cdk import --resource-mapping`: which existing resource each one of the template
 * is.
 * @param listed the resources of the stack that was destroyed; its retained ones still exist
 * @throws Error that names what cannot be imported
 */
export function importMapping(
  template: unknown,
  listed: StackResources,
): Record<string, Record<string, string>> {
  const names = new Map(
    listed.StackResourceSummaries.map((one) => [one.LogicalResourceId, one.PhysicalResourceId]),
  );
  const entries = Object.entries(Template.parse(template).Resources).map(([id, { Type }]) => {
    const identifier = identifiers[Type];
    if (identifier === undefined) throw new Error(`${id}: ${Type} cannot be imported.`);
    const name = names.get(id);
    if (name === undefined) throw new Error(`${id}: the listed stack has no such resource.`);
    return [id, { [identifier]: name }] as const;
  });
  return Object.fromEntries(entries);
}
