import { edgeCache } from '../../adapters/cloudfront/edge-cache.ts';
import { abuseReportTable } from '../../adapters/dynamodb/abuse-report-table.ts';
import { accountAdmin } from '../../adapters/dynamodb/accounts/account-admin.ts';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { domainRoots } from '../../adapters/dynamodb/domains/domain-roots.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { ownedProjectRepository } from '../../adapters/dynamodb/projects/owned-project-repository.ts';
import { projectRepository } from '../../adapters/dynamodb/projects/project-repository.ts';
import { purgeRows } from '../../adapters/dynamodb/projects/purge-rows.ts';
import { siteDirectory } from '../../adapters/dynamodb/projects/site-directory.ts';
import * as contract from '../../contract/operations/operators.ts';
import {
  findAccount,
  listReports,
  type OperateDeps,
  liftTakedown,
  suspendAccount,
  takeDownProject,
  unsuspendAccount,
} from '../../core/operators/operate.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { deployedOperators } from '../shared/deployed-limits.ts';
import { lazy } from '../shared/lazy.ts';
import { logDeferredCleanup, logger } from '../shared/logger.ts';
import { setting } from '../shared/settings.ts';

const services = lazy((): OperateDeps => {
  const client = documentClient();
  const tables = {
    projects: setting('PROJECTS_TABLE'),
    sites: setting('SITES_TABLE'),
    accounts: setting('ACCOUNTS_TABLE'),
  };
  return {
    operators: deployedOperators(),
    reports: abuseReportTable(client, tables.projects),
    accounts: accountRepository(client, tables.accounts),
    admin: accountAdmin(client, tables.accounts),
    projects: projectRepository(client, tables),
    owned: ownedProjectRepository(client, tables),
    sites: siteDirectory(documentItems(client), tables.sites),
    roots: domainRoots(documentItems(client), tables),
    edge: edgeCache(setting('SITES_TENANT_ID'), purgeRows(client, tables.projects)),
    onFailure: logDeferredCleanup,
    onAction: (action) => logger.warn('operator action', action),
    now: () => new Date(),
  };
});

export const bindings = [
  bind(contract.listReports, (caller, input) => listReports(services(), caller, input)),
  bind(contract.takeDownProject, (caller, input) => takeDownProject(services(), caller, input)),
  bind(contract.liftTakedown, (caller, input) => liftTakedown(services(), caller, input)),
  bind(contract.findAccount, (caller, input) => findAccount(services(), caller, input)),
  bind(contract.suspendAccount, (caller, input) => suspendAccount(services(), caller, input)),
  bind(contract.unsuspendAccount, (caller, input) => unsuspendAccount(services(), caller, input)),
];

/** `/v1/operator/*`: reports, takedowns, accounts and suspension, for the accounts in the setting `operators`. */
export const handler = endpoint(bindings);
