import * as z from 'zod';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ProjectStore } from '../../../core/ports.ts';
import { findRow, partitionQuery, queryRows } from '../read-rows.ts';
import { exists, remove, update, write } from '../writes.ts';
import { dropKey } from './project-keys.ts';
import { dueAttributes, erasureKey } from './project-rows.ts';
import { parseVersionRow } from './version-row.ts';

type DroppedVersions = Pick<
  ProjectStore,
  | 'getDroppedVersion'
  | 'deleteDroppedVersion'
  | 'listDroppedVersions'
  | 'postponeDrop'
  | 'scheduleErasure'
  | 'packsToErase'
  | 'endErasure'
>;

/** Versions that left the history and whose files are not all removed yet. */
export function droppedVersions(client: DynamoDBDocumentClient, table: string): DroppedVersions {
  return {
    ...erasures(client, table),
    getDroppedVersion: (projectId, version) =>
      findRow(client, table, dropKey(projectId, version), parseVersionRow),
    async deleteDroppedVersion(projectId, version) {
      await write(client, remove(table, dropKey(projectId, version)));
    },
    async listDroppedVersions(projectId, limit) {
      const { pk } = dropKey(projectId, 1);
      const query = {
        ...partitionQuery(table, { pk, prefix: 'DROP#', isNewestFirst: true }),
        FilterExpression: 'attribute_not_exists(postponed)',
      };
      return (await queryRows(client, query, limit)).map(parseVersionRow);
    },
    async postponeDrop(projectId, version, dropAt) {
      const set = { dueAt: dropAt, postponed: true };
      await write(client, update(table, dropKey(projectId, version), { set, ...exists }));
    },
  };
}

/**
 * The most packs that may wait: a row has at most 400 kB (Amazon DynamoDB), and a location 60
 * bytes.
 */
const mostWaiting = 2000;

/** Packs in which files are to be erased. */
export const ErasureRow = z.object({ packs: z.set(z.string()).default(new Set()) });

/** Packs with bytes to erase: one row for each project. */
function erasures(
  client: DynamoDBDocumentClient,
  table: string,
): Pick<DroppedVersions, 'scheduleErasure' | 'packsToErase' | 'endErasure'> {
  return {
    async scheduleErasure(projectId, packs, at) {
      const { dueAt, dueShard } = dueAttributes(projectId, at);
      const scheduling = update(table, erasureKey(projectId), {
        add: { packs: new Set(packs) },
        set: { dueShard },
        setOnce: { dueAt },
        when: 'attribute_not_exists(packs) OR size(packs) < :most',
        values: { most: mostWaiting },
      });
      return write(client, scheduling);
    },
    async packsToErase(projectId) {
      const found = await findRow(client, table, erasureKey(projectId), (row) =>
        ErasureRow.parse(row),
      );
      return [...(found?.packs ?? [])];
    },
    async endErasure(projectId, done, dueAt) {
      const key = erasureKey(projectId);
      const takeOut = done.length === 0 ? {} : { packs: new Set(done) };
      await write(client, update(table, key, { set: { dueAt }, takeOut, ...exists }));
      // DynamoDB removes a set with its last member.
      await write(client, remove(table, key, { when: 'attribute_not_exists(packs)' }));
    },
  };
}
