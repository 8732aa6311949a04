import { accountHistory } from '../../adapters/dynamodb/accounts/account-history.ts';
import { accountRepository } from '../../adapters/dynamodb/accounts/account-repository.ts';
import { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { deletedProjects } from '../../adapters/dynamodb/projects/deleted-projects.ts';
import { visitorTable } from '../../adapters/dynamodb/projects/visitor-table.ts';
import { hitRemoval } from '../../adapters/dynamodb/hits/hit-removal.ts';
import { remotePictures } from '../../adapters/outgoing-http/picture-client.ts';
import { uploadQueue } from '../../adapters/sqs/upload-queue.ts';
import { addresses } from '../../core/projects/addresses/addresses.ts';
import { logDeferredCleanup } from './logger.ts';
import { deployedPlans } from './deployed-limits.ts';
import { projectStores } from './project-stores.ts';
import { isLocal, setting } from './settings.ts';
import { uploadStores } from './upload-stores.ts';
import { versionContent } from './version-content.ts';

/** The dependencies of use cases about an account's projects. */
export function projectServices() {
  const client = documentClient();
  const now = () => new Date();
  return {
    ...projectStores(client),
    ...uploadStores(client),
    jobs: uploadQueue(setting('UPLOAD_QUEUE_URL')),
    accounts: accountRepository(client, setting('ACCOUNTS_TABLE')),
    content: versionContent(),
    pictures: remotePictures({ allowsLoopback: isLocal() }),
    history: accountHistory(client, {
      projects: setting('PROJECTS_TABLE'),
      accounts: setting('ACCOUNTS_TABLE'),
    }),
    deleted: deletedProjects(client, setting('PROJECTS_TABLE')),
    hits: hitRemoval(client, setting('ANALYTICS_TABLE')),
    addresses: addresses(setting('BASE_URL'), setting('SITES_DOMAIN')),
    plans: deployedPlans(),
    visitors: visitorTable(client, setting('PROJECTS_TABLE')),
    sendsMail: setting('SENDS_MAIL') === 'true',
    brand: setting('BRAND'),
    keptDays: Number(setting('DELETED_KEPT_DAYS')),
    onFailure: logDeferredCleanup,
    now,
  };
}
