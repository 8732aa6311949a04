import type { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { uploadArea } from '../../adapters/s3/upload-area.ts';
import { uploadRepository } from '../../adapters/dynamodb/uploads/upload-repository.ts';
import { setting } from '../shared/settings.ts';

type Client = ReturnType<typeof documentClient>;

/** Uploads that go straight to storage, those of accounts and those of nobody. */
export function uploadStores(client: Client) {
  return storesOver(client, { accounts: setting('ACCOUNTS_TABLE') });
}

/** The same for a function that meets none of an account. */
export function strangersUploadStores(client: Client) {
  return storesOver(client, {});
}

function storesOver(client: Client, accounts: { accounts?: string }) {
  return {
    uploads: uploadRepository(client, { projects: setting('PROJECTS_TABLE'), ...accounts }),
    area: uploadArea(setting('CONTENT_BUCKET')),
  };
}
