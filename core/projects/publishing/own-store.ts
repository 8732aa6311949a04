import type { ProjectId } from '../../../contract/fields.ts';
import type { StoreId } from '../../content/content-keys.ts';

/** What one upload writes into. */
export interface OwnStore {
  projectId: ProjectId;
  store: StoreId;
}
