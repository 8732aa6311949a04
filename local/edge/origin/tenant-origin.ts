import type { Route } from '../catalog.ts';
import type { Site } from '../host-routing.ts';
import type { ResolvedOrigin } from './origin-request.ts';

/** The origin for one site: `{{name}}` in its domain, path and custom headers is the tenant's parameter. */
export function tenantOrigin(
  origin: Route['origin'],
  { distribution, tenant }: Site,
): { origin: ResolvedOrigin; customHeaders: Record<string, string> } {
  const parameters: Record<string, string> = {
    ...distribution.parameterDefaults,
    ...tenant?.parameters,
  };
  const fill = (text: string): string =>
    text.replace(/\{\{([\w-]+)\}\}/g, (whole, name: string) => parameters[name] ?? whole);
  return {
    origin: {
      kind: origin.kind,
      domainName: fill(origin.domainName),
      originPath: fill(origin.originPath),
      oac: origin.oac,
      id: origin.id,
    },
    customHeaders: Object.fromEntries(
      Object.entries(origin.customHeaders).map(([name, value]) => [name, fill(value)]),
    ),
  };
}
