import { accountRepository } from '../adapters/account-repository.ts';
import { contentBucket } from '../adapters/content-bucket.ts';
import { documentClient } from '../adapters/dynamodb.ts';
import * as contract from '../contract/operations/projects.ts';
import { addresses } from '../core/projects/addresses.ts';
import { claimProject } from '../core/projects/claim-project.ts';
import { createProject } from '../core/projects/create-project.ts';
import { deleteProject } from '../core/projects/delete-project.ts';
import { getProject } from '../core/projects/get-project.ts';
import { listProjects } from '../core/projects/list-projects.ts';
import { bindWithKey } from './runtime/bind.ts';
import { endpoint } from './runtime/endpoint.ts';
import { logger } from './runtime/logger.ts';
import { once } from './runtime/once.ts';
import { projectStores } from './runtime/project-stores.ts';
import { deployedPlans } from './runtime/plans.ts';
import { setting } from './runtime/settings.ts';

const services = once(() => {
  const client = documentClient();
  return {
    ...projectStores(client),
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    content: contentBucket(setting('CONTENT_BUCKET')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
    brand: setting('BRAND'),
    onFailure: (item: unknown, error: unknown) =>
      logger.error('left to the next sweep', {
        item,
        error: error instanceof Error ? error : String(error),
      }),
    now: () => new Date(),
  };
});

export const bindings = [
  bindWithKey(contract.listProjects, {
    run: (caller, input) => listProjects(services(), caller, input),
  }),
  bindWithKey(contract.createProject, {
    run: (caller, input) => createProject(services(), caller, input),
  }),
  bindWithKey(contract.claimProject, {
    run: (caller, input) => claimProject(services(), caller, input),
  }),
  bindWithKey(contract.getProject, {
    run: (caller, input) => getProject(services(), caller, input),
  }),
  bindWithKey(contract.deleteProject, {
    run: (caller, input) => deleteProject(services(), caller, input),
  }),
];

/** `/v1/projects`: publish, keep, list, read and delete an account's projects. */
export const handler = endpoint(bindings);
