import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { Instant } from '../../../contract/fields.ts';
import type {
  DeletedProject,
  DeletedProjectStore,
} from '../../../core/projects/removal/restore-project.ts';
import { instant } from '../../../core/instants.ts';
import type { Project } from '../../../core/projects/project.ts';
import { metaKey } from './project-keys.ts';
import { ownerQuery } from './owner-index.ts';
import { ownerState, parseProjectRow } from './project-rows.ts';
import { queryRows, readRow } from '../read-rows.ts';
import { nullsRemoved, update, write } from '../writes.ts';

/** Deleted projects in DynamoDB. */
export function deletedProjects(
  client: DynamoDBDocumentClient,
  table: string,
): DeletedProjectStore {
  return {
    async get(projectId) {
      return readDeleted(await readRow(client, table, metaKey(projectId)));
    },
    async listByAccount(accountId, { limit, after }) {
      const query = { list: ownerState(accountId, 'deleted'), after, isNewestFirst: true };
      const rows = await queryRows(client, ownerQuery(table, query), limit + 1);
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return {
        deleted: shown.flatMap((row) => readDeleted(row) ?? []),
        next: last && Listed.parse(last).listedAt,
      };
    },
    async endKeeping({ project: { id, removingAt } }, dueAt) {
      const end = update(table, metaKey(id), {
        set: { dueAt },
        remove: ['ownerState', 'listedAt'],
        when: 'removingAt = :removingAt AND dueAt > :dueAt',
        values: { removingAt },
      });
      await write(client, end);
    },
  };
}

const Listed = z.object({ listedAt: z.string() });

const Due = z.object({ dueAt: Instant });

/**
 * Only projects of an account that their owner deleted. A first upload that failed was never a
 * project.
 */
function readDeleted(row: Record<string, unknown> | undefined): DeletedProject | undefined {
  if (row?.['removingAt'] === undefined || row['ownerId'] === undefined) return undefined;
  const project = parseProjectRow(row);
  if (project.failure !== null || project.version === 0) return undefined;
  return { project, keptUntil: Due.parse(row).dueAt };
}

/**
 * Records whether a deleted project is taken down. It changes the revision, so that a restoration
 * that began before fails.
 */
export function noteTakedown(
  client: DynamoDBDocumentClient,
  TableName: string,
  { id, revision }: Project,
  { takedown, now }: { takedown: Project['takedown']; now: Date },
): Promise<boolean> {
  const change = update(TableName, metaKey(id), {
    ...nullsRemoved({ takedown }),
    add: { revision: 1 },
    when: 'attribute_exists(removingAt) AND revision = :seen AND dueAt > :now',
    values: { seen: revision, now: instant(now) },
  });
  return write(client, change);
}
