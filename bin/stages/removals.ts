import * as z from 'zod';

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
const Template = z.object({ Resources: z.record(z.string(), Resource) });
type Resource = z.infer<typeof Resource>;

/** Resources whose removal ends the product or parts it from its data, with the words for a person. */
const guarded: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'a table',
  'AWS::S3::Bucket': 'a bucket',
  'AWS::SecretsManager::Secret': 'a secret',
  'AWS::CloudFront::Distribution': 'a distribution',
  'AWS::CloudFront::DistributionTenant': 'the tenant of the sites',
  'AWS::CloudFront::ConnectionGroup': 'the address of the sites',
  'AWS::SES::EmailIdentity': 'an identity of mail',
  'AWS::Route53::RecordSet': 'a DNS record',
  'AWS::WAFv2::WebACL': 'the firewall',
};

/** Properties whose change makes CloudFormation create another, empty resource. */
const identifying = ['KeySchema', 'TableName', 'BucketName', 'Name', 'EmailIdentity'];

/**
 * What a deployment would take away: guarded resources that the next template does not have or would
 * replace, and names at which distributions and tenants answer. One line each.
 */
export function findRemovals(deployedText: string, nextTemplate: unknown): string[] {
  const deployed = Template.parse(JSON.parse(deployedText)).Resources;
  const next = Template.parse(nextTemplate).Resources;
  return Object.entries(deployed).flatMap(([id, resource]) => {
    const kind = guarded[resource.Type];
    if (kind === undefined) return [];
    const successor = next[id];
    if (successor?.Type !== resource.Type) return [`${id}: ${kind} would be removed`];
    const changed = identifying.find((name) => !isSame(resource, successor, name));
    if (changed !== undefined) return [`${id}: ${kind} would be replaced (${changed} changes)`];
    const names = namesOf(successor);
    return namesOf(resource)
      .filter((name) => !names.includes(name))
      .map((name) => `${id}: ${kind} would stop answering for ${name}`);
  });
}

function isSame(one: Resource, other: Resource, name: string): boolean {
  return JSON.stringify(one.Properties[name]) === JSON.stringify(other.Properties[name]);
}

const Names = z.object({
  Domains: z.array(z.unknown()).default([]),
  DistributionConfig: z.object({ Aliases: z.array(z.unknown()).default([]) }).optional(),
});

/** The domains of a tenant and the aliases of a distribution. */
function namesOf({ Properties }: Resource): string[] {
  const { data } = Names.safeParse(Properties);
  return [...(data?.Domains ?? []), ...(data?.DistributionConfig?.Aliases ?? [])].map((name) =>
    typeof name === 'string' ? name : JSON.stringify(name),
  );
}
