import * as z from 'zod';
import { Instant, WorkspaceId } from '../../contract/fields.ts';

/** The stored form of a workspace: a folder of projects of one account. */
export const Workspace = z.object({
  id: WorkspaceId,
  name: z.string(),
  /** Its projects, archived ones too; changed in one transaction with each project. */
  projectCount: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
  /** Set once its deletion has begun: for its owner it is gone. */
  deletingAt: z.nullable(Instant).default(null),
});
export type Workspace = z.infer<typeof Workspace>;
