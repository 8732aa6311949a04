import type { Resource } from '../http/http.ts';
import type { NamedResource } from './resource-type.ts';
import { resourceTypes } from './resource-types.ts';

function named({ stack, logicalId, properties }: Resource): NamedResource {
  return { stack, logicalId, property: (name) => properties[name] };
}

/** What `Ref` gives for a resolved resource: its name, id, URL or ARN, as the type has it. */
export function physicalId(resource: Resource): string {
  return resourceTypes[resource.type]?.ref?.(named(resource)) ?? resource.logicalId;
}

/** The `Arn` attribute of a resolved resource. */
export function arnOf(resource: Resource): string {
  const attributes = resourceTypes[resource.type]?.attributes?.(
    named(resource),
    physicalId(resource),
  );
  return attributes?.['Arn'] ?? '';
}

/** The resources of one type. */
export function ofType(resources: readonly Resource[], type: string): Resource[] {
  return resources.filter((resource) => resource.type === type);
}
