import type { Edge } from './edge.ts';

/** What the control plane needs of the edge, which starts after it; until then there is nothing to change. */
export function lateEdge(edge: () => Edge | undefined) {
  return {
    invalidate: (id: string, items: string[]) => edge()?.invalidate(id, items),
    distributions: {
      read: (id: string) => edge()?.originHeaders(id),
      write: (id: string, headers: Record<string, Record<string, string>>) =>
        edge()?.setOriginHeaders(id, headers),
    },
    edge: {
      tenantParameters: (id: string) => edge()?.tenantParameters(id),
      connectionGroup: (id: string) => edge()?.connectionGroup(id),
      hasDomain: (domain: string) => edge()?.hasDomain(domain) ?? false,
    },
  };
}
