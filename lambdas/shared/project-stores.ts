import type { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { domainRepository } from '../../adapters/dynamodb/domains/domain-repository.ts';
import { edgeCache } from '../../adapters/cloudfront/edge-cache.ts';
import { ownedProjectRepository } from '../../adapters/dynamodb/projects/owned-project-repository.ts';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import { setting } from './settings.ts';

/** The stores of projects, and the edge that caches their pages. */
export function projectStores(client: ReturnType<typeof documentClient>) {
  const tables = {
    projects: setting('PROJECTS_TABLE'),
    sites: setting('SITES_TABLE'),
    accounts: setting('ACCOUNTS_TABLE'),
  };
  return {
    projects: projectRepository(client, tables),
    owned: ownedProjectRepository(client, tables),
    domains: domainRepository(client, tables),
    edge: edgeCache(setting('SITES_TENANT_ID')),
  };
}
