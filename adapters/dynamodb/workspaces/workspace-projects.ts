import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type AccountId, ProjectId, type WorkspaceId } from '../../../contract/fields.ts';
import type { WorkspaceProjects } from '../../../core/workspaces/ports.ts';
import { metaKey } from '../projects/project-keys.ts';
import { ownerQuery } from '../projects/owner-index.ts';
import { ownerState } from '../projects/project-rows.ts';
import { queryPages } from '../read-rows.ts';
import { writeTransaction } from '../transaction.ts';
import { update } from '../writes.ts';
import { leaveWorkspace } from './workspace-parts.ts';

const IndexRow = z.object({ id: ProjectId });

/** The projects of workspaces in DynamoDB. */
export function workspaceProjects(
  client: DynamoDBDocumentClient,
  tables: { projects: string; accounts: string },
): WorkspaceProjects {
  return {
    async *idsIn(accountId, workspaceId) {
      for (const state of ['active', 'archived'] as const) {
        const list = ownerState(accountId, state);
        const filter = ['workspaceId', workspaceId] as const;
        const query = ownerQuery(tables.projects, { list, filter, only: 'id' });
        for await (const rows of queryPages(client, query))
          for (const row of rows) yield IndexRow.parse(row).id;
      }
    },
    release: (accountId, projectId, workspaceId) =>
      release(client, tables, { accountId, projectId, workspaceId }),
  };
}

interface Membership {
  accountId: AccountId;
  projectId: ProjectId;
  workspaceId: WorkspaceId;
}

async function release(
  client: DynamoDBDocumentClient,
  tables: { projects: string; accounts: string },
  { accountId, projectId, workspaceId }: Membership,
): Promise<void> {
  const unmet = await writeTransaction(client, [
    [
      'project',
      update(tables.projects, metaKey(projectId), {
        remove: ['workspaceId'],
        add: { revision: 1 },
        when: 'workspaceId = :workspaceId AND ownerId = :accountId AND attribute_not_exists(removingAt)',
        values: { workspaceId, accountId },
      }),
    ],
    ['workspace', leaveWorkspace(tables.accounts, accountId, workspaceId)],
  ]);
  if (unmet.size === 1 && unmet.has('workspace')) {
    throw new Error(`workspace ${workspaceId} counts fewer projects than it has`);
  }
}
