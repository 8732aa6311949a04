import type { documentClient } from '../../adapters/dynamodb/document-client.ts';
import { uploadArea } from '../../adapters/s3/upload-area.ts';
import { uploadLinkTable } from '../../adapters/dynamodb/uploads/upload-link-table.ts';
import { uploadRepository } from '../../adapters/dynamodb/uploads/upload-repository.ts';
import { setting } from './settings.ts';

type Client = ReturnType<typeof documentClient>;

/** The stores of staged uploads, for accounts and for anonymous callers, and of upload links. */
export function uploadStores(client: Client) {
  const links = uploadLinkTable(client, setting('PROJECTS_TABLE'));
  return { ...storesWithTables(client, { accounts: setting('ACCOUNTS_TABLE') }), links };
}

/** The stores for functions that only process anonymous uploads. */
export function anonymousUploadStores(client: Client) {
  return storesWithTables(client, {});
}

function storesWithTables(client: Client, accounts: { accounts?: string }) {
  return {
    uploads: uploadRepository(client, { projects: setting('PROJECTS_TABLE'), ...accounts }),
    area: uploadArea(setting('CONTENT_BUCKET')),
  };
}
