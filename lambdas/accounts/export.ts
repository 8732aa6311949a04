import { contentBucket } from '../../adapters/s3/content-bucket.ts';
import { counterTable } from '../../adapters/dynamodb/counter-table.ts';
import { documentClient, documentItems } from '../../adapters/dynamodb/document-client.ts';
import { ownedListing } from '../../adapters/dynamodb/projects/owned-listing.ts';
import { visitorReader } from '../../adapters/dynamodb/projects/people-row.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import { workspaceRepository } from '../../adapters/dynamodb/workspaces/workspace-repository.ts';
import * as contract from '../../contract/operations/own-account.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { exportAccount } from '../../core/transfer/export-account.ts';
import { bind } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { lazy } from '../shared/lazy.ts';
import { deployedPlans } from '../shared/deployed-limits.ts';
import { deployedSecret } from '../shared/deployed-secrets.ts';
import { setting } from '../shared/settings.ts';

const services = lazy(() => {
  const client = documentClient();
  const projects = setting('PROJECTS_TABLE');
  return {
    counters: counterTable(client, setting('COUNTERS_TABLE')),
    listing: ownedListing(client, projects),
    workspaces: workspaceRepository(client, setting('ACCOUNTS_TABLE')),
    projects: projectReader(client, projects),
    visitors: visitorReader(documentItems(client), projects),
    content: contentBucket(setting('CONTENT_BUCKET')),
    accessSecret: deployedSecret('ACCESS_SECRET_ARN'),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
    now: () => new Date(),
  };
});

export const bindings = [
  bind(contract.exportAccount, (caller, input) => exportAccount(services(), caller, input)),
];

/** `/v1/account/export`: exports the data of an account. */
export const handler = endpoint(bindings);
