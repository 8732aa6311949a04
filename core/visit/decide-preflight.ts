import type { SiteFields } from '../site-rules/site-rules.ts';
import { allowOrigin } from './cross-origin.ts';
import { decideVisit } from './decide-visit.ts';
import type { Manifest } from './manifest.ts';
import type { VisitorRequest } from './route-visit.ts';
import { fieldsAt, readAnyPath } from './rules-at.ts';
import type { ServingRecord } from './serving-record.ts';

/** Published pages can only be read, so every other header of a request is harmless. */
const readOnly = [
  ['access-control-allow-methods', 'GET, HEAD'],
  ['access-control-allow-headers', '*'],
] as const;

/**
 * The headers by which a path is open to pages of other origins, for a browser that asks before its
 * request (Fetch, "CORS-preflight request"); `undefined` where it is not. Those of the site's own rules, else
 * of what the path would be answered with. Pure.
 */
export function decidePreflight(
  site: ServingRecord,
  files: Manifest,
  visit: VisitorRequest,
): SiteFields | undefined {
  const decision = decideVisit(site, files, visit);
  const file = 'file' in decision ? decision.file : undefined;
  const fields = file?.fields ?? fieldsAt(site, readAnyPath(visit.path));
  const isOpen = file?.isOpen === true;
  if (!isOpen && !fields.has(allowOrigin)) return undefined;
  const own = [...fields].filter(([name]) => name.startsWith('access-control-'));
  return new Map([...(isOpen ? [[allowOrigin, '*'] as const] : []), ...readOnly, ...own]);
}
