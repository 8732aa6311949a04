import { daySeconds } from '../../../contract/limits.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ProjectId } from '../../../contract/fields.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import type { WrongTries, WrongTryCount } from '../../../core/visit/access/wrong-tries.ts';
import { nullsRemoved, update, updated, write } from '../writes.ts';

/** Longer than the period in which tries are counted together. */
const keptSeconds = 32 * daySeconds;

/** The wrong tries of a project. */
export const WrongTryRow = z.object({
  tries: z.number(),
  since: z.number(),
  alertedAt: z.number().optional(),
});

/** Wrong tries in DynamoDB; a row expires by TTL after a month without wrong tries. */
export function wrongTryTable(client: DynamoDBDocumentClient, table: string): WrongTries {
  return {
    async count(projectId, now) {
      const counting = update(table, keyOf(projectId), {
        add: { tries: 1 },
        set: { ttl: epochSeconds(plusSeconds(now, keptSeconds)) },
        setOnce: { since: now.getTime() },
      });
      const row = WrongTryRow.parse(await updated(client, counting));
      const { tries, since, alertedAt } = row;
      return {
        tries,
        since: new Date(since),
        alertedAt: alertedAt === undefined ? undefined : new Date(alertedAt),
      };
    },
    restart: (projectId, previous, next) =>
      write(client, restart(table, projectId, previous, next)),
  };
}

const keyOf = (projectId: ProjectId) => ({ key: `unlock-wrong#${projectId}` });

function restart(
  table: string,
  projectId: ProjectId,
  previous: WrongTryCount,
  next: WrongTryCount,
) {
  const { tries, since, alertedAt } = next;
  const wasAlerted =
    previous.alertedAt === undefined
      ? 'attribute_not_exists(alertedAt)'
      : 'alertedAt = :seenAlertedAt';
  const alerted = { alertedAt: alertedAt?.getTime() ?? null };
  return update(table, keyOf(projectId), {
    ...nullsRemoved({ tries, since: since.getTime(), ...alerted }),
    // Concurrent tries do not change these two fields; only a concurrent restart does.
    when: `since = :seen AND ${wasAlerted}`,
    values: { seen: previous.since.getTime(), seenAlertedAt: previous.alertedAt?.getTime() },
  });
}
