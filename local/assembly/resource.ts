import * as z from 'zod';
import { StartError } from '../errors.ts';

/** A resource of the synthesized templates with every intrinsic function resolved to its local value. */
export interface Resource {
  logicalId: string;
  stack: string;
  type: string;
  properties: Record<string, unknown>;
}

/** The resources of one type. */
export function resourcesOfType(resources: readonly Resource[], type: string): Resource[] {
  return resources.filter((resource) => resource.type === type);
}

/** How messages name a resource: `AWS::S3::Bucket Content (stack Storage)`. */
export function describeResource({ type, logicalId, stack }: Resource): string {
  return `${type} ${logicalId} (stack ${stack})`;
}

/**
 * Marks a property that has no effect on a laptop. Schemas of properties are strict, so a property
 * that is neither read nor marked stops the start.
 */
export const ignored = z.unknown().optional();

/** Parses the properties of a resource; an unknown or invalid property stops the start. */
export function parseProperties<Schema extends z.ZodType>(
  resource: Resource,
  schema: Schema,
): z.output<Schema> {
  const parsed = schema.safeParse(resource.properties);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(describeIssue).join('; ');
  throw new StartError(`${describeResource(resource)}: ${reasons}`);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`));
    return `the local cloud does not know the property ${names.join(', ')}`;
  }
  return path === '' ? issue.message : `property ${path}: ${issue.message}`;
}

/** Stops the start because the local cloud cannot do what one property says. */
export function rejectProperty(resource: Resource, property: string, reason: string): never {
  throw new StartError(`${describeResource(resource)}: ${property} ${reason}`);
}
