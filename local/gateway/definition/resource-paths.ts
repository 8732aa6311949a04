interface TreeResource {
  logicalId: string;
  name: string;
  properties: { ParentId: string; PathPart: string };
}

/**
 * The full path of every resource by its id. The root has no resource of its own, so the one id
 * that no resource has must be the root's; a second such id is a reference that was not resolved.
 */
export function resourcePaths(
  resources: readonly TreeResource[],
  methodResourceIds: readonly string[],
): ReadonlyMap<string, string> {
  const byId = new Map(resources.map((resource) => [resource.logicalId, resource]));
  const referenced = [
    ...resources.map((resource) => resource.properties.ParentId),
    ...methodResourceIds,
  ];
  const [root, stray] = new Set(referenced.filter((id) => !byId.has(id)));
  if (stray !== undefined) {
    throw new Error(
      `API Gateway resource ids ${root} and ${stray} both stand for the root of the API; resolve ParentId and ResourceId to logical ids.`,
    );
  }

  function pathOf(resource: TreeResource): string {
    const parent = byId.get(resource.properties.ParentId);
    return `${parent === undefined ? '' : pathOf(parent)}/${resource.properties.PathPart}`;
  }

  return new Map(resources.map((resource) => [resource.logicalId, pathOf(resource)]));
}
