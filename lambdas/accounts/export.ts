import { contentBucket, contentLinks } from '../../adapters/s3/content-bucket.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { ownedListing } from '../../adapters/dynamodb/projects/owned-listing.ts';
import { projectReader } from '../../adapters/dynamodb/projects/project-reader.ts';
import { workspaceRepository } from '../../adapters/dynamodb/workspaces/workspace-repository.ts';
import * as contract from '../../contract/operations/own-account.ts';
import { exportAccount } from '../../core/transfer/export-account.ts';
import { bindWithKey } from '../http/bind.ts';
import { endpoint } from '../http/endpoint.ts';
import { lazy } from '../shared/lazy.ts';
import { setting } from '../shared/settings.ts';

const services = lazy(() => {
  const client = documentClient();
  const projects = setting('PROJECTS_TABLE');
  const bucket = setting('CONTENT_BUCKET');
  return {
    listing: ownedListing(client, projects),
    workspaces: workspaceRepository(client, setting('ACCOUNTS_TABLE')),
    projects: projectReader(client, projects),
    content: contentBucket(bucket),
    links: contentLinks(bucket),
    now: () => new Date(),
  };
});

export const bindings = [
  bindWithKey(contract.exportAccount, {
    run: (caller, input) => exportAccount(services(), caller, input),
  }),
];

/** `/v1/account/export`: exports the data of an account. */
export const handler = endpoint(bindings);
