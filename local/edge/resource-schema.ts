import * as z from 'zod';
import type { Resource } from '../http/http.ts';

/**
 * A property that makes no difference on localhost. Schemas here are strict, so a property that is
 * neither read nor listed with this marker stops the start.
 */
export const noDifference = z.unknown().optional();

/** Stops the start with a line that names the resource and the property. */
export function refuse(resource: Resource, property: string, reason: string): never {
  throw new Error(
    `Local edge: ${resource.type} ${resource.logicalId} (stack ${resource.stack}): ${property} ${reason}`,
  );
}

/** The resource's properties as `schema` reads them; an unknown or misshapen property throws. */
export function propertiesOf<Schema extends z.ZodType>(
  resource: Resource,
  schema: Schema,
): z.output<Schema> {
  const parsed = schema.safeParse(resource.properties);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined) return refuse(resource, 'properties', 'cannot be read');
  if (issue.code === 'unrecognized_keys') {
    const property = [...issue.path, issue.keys[0] ?? ''].join('.');
    return refuse(resource, property, 'is not supported by the local edge');
  }
  return refuse(resource, issue.path.join('.'), `is not supported: ${issue.message}`);
}
