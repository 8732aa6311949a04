import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ProjectId } from '../../../contract/fields.ts';
import type { DomainProjects } from '../../../core/domains/ports.ts';
import { ownerQuery } from '../projects/owner-index.ts';
import { ownerState } from '../projects/project-rows.ts';
import { queryRows } from '../read-rows.ts';

const IndexRow = z.object({
  id: ProjectId,
  title: z.string(),
  slug: z.string(),
  status: z.string(),
});

/** The projects of domains, from the index of owners. */
export function domainProjects(client: DynamoDBDocumentClient, table: string): DomainProjects {
  return {
    async listIn(accountId, domainId) {
      const found = await Promise.all(
        (['active', 'archived'] as const).map(async (state) => {
          const list = ownerState(accountId, state);
          const filter = ['domainId', domainId] as const;
          const rows = await queryRows(client, ownerQuery(table, { list, filter }));
          const shown = state === 'archived' ? { status: 'archived' } : {};
          return rows.map((row) => ({ ...IndexRow.parse(row), ...shown }));
        }),
      );
      return found.flat();
    },
  };
}
