import type { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { domainRepository } from '../../adapters/dynamodb/domains/domain-repository.ts';
import { edgeCache } from '../../adapters/cloudfront/edge-cache.ts';
import { ownedProjectRepository } from '../../adapters/dynamodb/projects/owned-project-repository.ts';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import { purgeRows } from '../../adapters/dynamodb/projects/purge-rows.ts';
import { setting } from './settings.ts';

const tableNames = () => ({
  projects: setting('PROJECTS_TABLE'),
  sites: setting('SITES_TABLE'),
  accounts: setting('ACCOUNTS_TABLE'),
});

/** The stores of projects, for functions whose changes need no purge of the edge. */
export function uncachedProjectStores(client: ReturnType<typeof documentClient>) {
  const tables = tableNames();
  return {
    projects: projectRepository(client, tables),
    owned: ownedProjectRepository(client, tables),
  };
}

/** The stores of projects, and the edge that caches their pages. */
export function projectStores(client: ReturnType<typeof documentClient>) {
  const tables = tableNames();
  return {
    ...uncachedProjectStores(client),
    domains: domainRepository(client, tables),
    edge: edgeCache(setting('SITES_TENANT_ID'), purgeRows(client, tables.projects)),
  };
}
