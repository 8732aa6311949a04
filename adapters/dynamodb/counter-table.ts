import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { epochSeconds, plusSeconds } from '../../core/instants.ts';
import type { Counters, LimitReader, Taken } from '../../core/limits/counters.ts';
import { admit, type Rule, standing } from '../../core/limits/sliding-window.ts';
import { backOff, isLostCondition } from './document-client.ts';

const Log = z.object({
  times: z.array(z.number()),
  revision: z.number(),
  ttl: z.number(),
});
type Log = z.infer<typeof Log>;

/** A log changes only a few times an hour, so that losers of a race soon find it full. */
const raceTries = 40;

/** Counters in DynamoDB; rows leave by TTL once their windows are over. */
export function counterTable(
  client: DynamoDBDocumentClient,
  table: string,
): Counters & LimitReader {
  return {
    async count(key, windowSeconds, now) {
      const start = Math.floor(now.getTime() / 1000 / windowSeconds) * windowSeconds;
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { key: `${key}#${start}` },
          UpdateExpression: 'ADD events :one SET #ttl = :ttl',
          ExpressionAttributeNames: { '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':one': 1, ':ttl': start + 2 * windowSeconds },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return z.object({ events: z.number() }).parse(Attributes).events;
    },
    async peek(key, rules, now) {
      const { times } = await readLog(client, table, key);
      return outcomeOf(times, rules, now);
    },
    async take(key, rules, now) {
      for (let tries = 1; tries <= raceTries; tries += 1) {
        const log = await readLog(client, table, key);
        const admission = admit(log.times, rules, now);
        if (!admission.admitted) return outcomeOf(log.times, rules, now);
        const next = { ...log, times: admission.times, ttl: windowsEnd(rules, now) };
        if (await writeLog(client, table, key, next)) {
          return { taken: true, limits: standing(next.times, rules, now) };
        }
        await backOff(tries);
      }
      throw new Error(`no turn at counter ${key} in ${raceTries} tries`);
    },
    async giveBack(key, takenAt) {
      for (let tries = 1; tries <= raceTries; tries += 1) {
        const log = await readLog(client, table, key);
        const at = log.times.indexOf(takenAt.getTime());
        if (at < 0) return;
        const next = { ...log, times: log.times.toSpliced(at, 1) };
        if (await writeLog(client, table, key, next)) return;
        await backOff(tries);
      }
    },
  };
}

function outcomeOf(times: readonly number[], rules: readonly Rule[], now: Date): Taken {
  const admission = admit(times, rules, now);
  const limits = standing(times, rules, now);
  return admission.admitted ? { taken: true, limits } : { ...admission, taken: false, limits };
}

async function readLog(client: DynamoDBDocumentClient, table: string, key: string): Promise<Log> {
  const { Item } = await client.send(
    new GetCommand({ TableName: table, Key: { key }, ConsistentRead: true }),
  );
  return Item === undefined ? { times: [], revision: 0, ttl: 0 } : Log.parse(Item);
}

/** Writes the log unless somebody else did since it was read. */
async function writeLog(
  client: DynamoDBDocumentClient,
  table: string,
  key: string,
  log: Log,
): Promise<boolean> {
  try {
    await client.send(
      new UpdateCommand({
        TableName: table,
        Key: { key },
        UpdateExpression: 'SET #times = :times, revision = :next, #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(revision) OR revision = :seen',
        ExpressionAttributeNames: { '#ttl': 'ttl', '#times': 'times' },
        ExpressionAttributeValues: {
          ':times': log.times,
          ':seen': log.revision,
          ':next': log.revision + 1,
          ':ttl': log.ttl,
        },
      }),
    );
    return true;
  } catch (error) {
    if (isLostCondition(error)) return false;
    throw error;
  }
}

/** An hour after the longest window is over, for whoever reads the table. */
function windowsEnd(rules: readonly Rule[], now: Date): number {
  const seconds = Math.max(...rules.map((rule) => rule.windowSeconds));
  return epochSeconds(plusSeconds(now, seconds + 3600));
}
