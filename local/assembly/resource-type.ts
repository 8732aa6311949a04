import { createHash } from 'node:crypto';

/** The account and the region that every ARN of the local cloud names. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** One resource while its names are found: properties are evaluated when they are asked for. */
export interface NamedResource {
  stack: string;
  logicalId: string;
  property(name: string): unknown;
}

export interface ResourceType {
  /** Which part of the local cloud does what the resource says, or why nothing needs to be done. */
  local: string;
  /**
   * Every property that is understood or makes no difference on a laptop; any other one stops the
   * start. `'by the part'` where the part named in `local` refuses unknown properties itself, at any depth.
   */
  properties: readonly string[] | 'by the part';
  /** What `Ref` gives; the logical id where a type says nothing. */
  ref?: (resource: NamedResource) => string;
  /** What `Fn::GetAtt` gives. */
  attributes?: (resource: NamedResource, ref: string) => Record<string, string>;
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/**
 * A name that stays the same over restarts: the property where the template gives one, else stack and
 * logical id, cut to the service's limit with a hash in the place of what was cut.
 */
export function stableName(resource: NamedResource, property: string, maxLength: number): string {
  const given = resource.property(property);
  if (typeof given === 'string') return given;
  const full = `${resource.stack}-${resource.logicalId}`;
  if (full.length <= maxLength) return full;
  return `${full.slice(0, maxLength - 9)}-${hash(full, 8)}`;
}

/** The six characters that Secrets Manager puts after a secret's name in its ARN; here always the same ones. */
export function secretArn(resource: NamedResource): string {
  const name = stableName(resource, 'Name', 128);
  return arn('secretsmanager', `secret:${name}-${hash(name, 6)}`);
}

/** An ARN of this account and region. */
export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}

/** An ARN of a service that has no regions. */
export function globalArn(service: string, resource: string): string {
  return `arn:aws:${service}::${ACCOUNT}:${resource}`;
}
