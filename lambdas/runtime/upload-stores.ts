import type { documentClient } from '../../adapters/dynamodb.ts';
import { uploadArea } from '../../adapters/upload-area.ts';
import { uploadRepository } from '../../adapters/upload-repository.ts';
import { setting } from './settings.ts';

/** Uploads that go straight to storage. */
export function uploadStores(client: ReturnType<typeof documentClient>) {
  return {
    uploads: uploadRepository(client, setting('PROJECTS_TABLE')),
    area: uploadArea(setting('CONTENT_BUCKET')),
  };
}
