import { createHash } from 'node:crypto';

/** The account and the region in every ARN of the local cloud. */
export const ACCOUNT = '000000000000';
export const REGION = 'us-east-1';

/** A resource whose properties are evaluated on demand, while names are being resolved. */
export interface NamedResource {
  stack: string;
  logicalId: string;
  property(name: string): unknown;
}

export interface ResourceType {
  /** The module that implements the resource, or why nothing needs to be done. */
  handledBy: string;
  /**
   * Every property that is read or has no effect on a laptop; any other one stops the start.
   * `'by the module'`: the module in `handledBy` rejects unknown properties itself, at any depth.
   */
  properties: readonly string[] | 'by the module';
  /** The value of `Ref`; the logical id by default. */
  ref?: (resource: NamedResource) => string;
  /** The attributes for `Fn::GetAtt`. */
  attributes?: (resource: NamedResource, ref: string) => Record<string, string>;
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/**
 * A name that is stable across restarts: the property if the template has it, else stack and logical id.
 * A name over the service's limit is cut and ends in a hash.
 */
export function stableName(resource: NamedResource, property: string, maxLength: number): string {
  const given = resource.property(property);
  if (typeof given === 'string') return given;
  const full = `${resource.stack}-${resource.logicalId}`;
  if (full.length <= maxLength) return full;
  return `${full.slice(0, maxLength - 9)}-${hash(full, 8)}`;
}

/** A secret's ARN. Secrets Manager appends six random characters to the name; here they are stable. */
export function secretArn(resource: NamedResource): string {
  const name = stableName(resource, 'Name', 128);
  return arn('secretsmanager', `secret:${name}-${hash(name, 6)}`);
}

/** An ARN of this account and region. */
export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}

/** An ARN of a service without regions. */
export function globalArn(service: string, resource: string): string {
  return `arn:aws:${service}::${ACCOUNT}:${resource}`;
}
