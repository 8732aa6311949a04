import { accountRepository } from '../adapters/account-repository.ts';
import { contentBucket } from '../adapters/content-bucket.ts';
import { documentClient } from '../adapters/dynamodb.ts';
import * as contract from '../contract/operations/projects.ts';
import { getQrCode } from '../contract/operations/qr-code.ts';
import { addresses } from '../core/projects/addresses.ts';
import { claimProject } from '../core/projects/claim-project.ts';
import { createProject } from '../core/projects/create-project.ts';
import { deleteProject } from '../core/projects/delete-project.ts';
import { getProject } from '../core/projects/get-project.ts';
import { listProjects } from '../core/projects/list-projects.ts';
import { qrCode } from '../core/projects/qr-code.ts';
import { bindWithKey } from './runtime/bind.ts';
import { bindFile, type FileAnswer } from './runtime/bind-file.ts';
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
  bindFile(getQrCode, { run: async (_, input) => picture(await qrCode(services(), input)) }),
];

/** Kept by the one who asked for five minutes; an archived or deleted project has none. */
function picture({ kind, content }: Awaited<ReturnType<typeof qrCode>>): FileAnswer {
  const mediaType = kind === 'svg' ? 'image/svg+xml' : 'image/png';
  return { mediaType, content, cacheControl: 'private, max-age=300' };
}

/** `/v1/projects`: publish, keep, list, read and delete an account's projects; `/qr`: their addresses to scan. */
export const handler = endpoint(bindings);
