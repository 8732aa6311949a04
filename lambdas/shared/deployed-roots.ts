import { domainRoots } from '../../adapters/dynamodb/domains/domain-roots.ts';
import type { ReadItem } from '../../adapters/dynamodb/read-rows.ts';
import { setting } from './settings.ts';

/** Root projects of this installation's custom domains. */
export function deployedRoots(readItem: ReadItem) {
  const tables = { sites: setting('SITES_TABLE'), projects: setting('PROJECTS_TABLE') };
  return domainRoots(readItem, tables);
}
