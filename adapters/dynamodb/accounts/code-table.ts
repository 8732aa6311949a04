import { randomUUID } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { CodeStore } from '../../../core/accounts/ports.ts';
import { longCodeLifeSeconds, SignInRecord } from '../../../core/accounts/sign-in/sign-in-code.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { backOff, unlessLost } from '../document-client.ts';

/** Never the same twice, so that a row that came back is not taken for the one that was read. */
const Revision = z.object({ revision: z.string().optional() });

/** A record takes a few changes an hour; whoever loses soon finds that none is left to make. */
const raceTries = 40;

/** Sign-in codes in DynamoDB, one row for each address; rows leave by TTL. */
export function codeTable(client: DynamoDBDocumentClient, table: string): CodeStore {
  const keyOf = (email: string) => ({ key: `sign-in#${email}` });

  async function load(email: string) {
    const { Item = {} } = await client.send(
      new GetCommand({ TableName: table, Key: keyOf(email), ConsistentRead: true }),
    );
    return { record: SignInRecord.parse(Item), ...Revision.parse(Item) };
  }

  function store(email: string, record: SignInRecord, seen: string | undefined): Promise<boolean> {
    const unchanged = {
      TableName: table,
      ConditionExpression:
        seen === undefined ? 'attribute_not_exists(revision)' : 'revision = :seen',
      ...(seen !== undefined && { ExpressionAttributeValues: { ':seen': seen } }),
    };
    const ttl = ttlOf(record);
    return unlessLost(
      ttl === undefined
        ? client.send(new DeleteCommand({ ...unchanged, Key: keyOf(email) }))
        : client.send(
            new PutCommand({
              ...unchanged,
              Item: { ...keyOf(email), ...record, revision: randomUUID(), ttl },
            }),
          ),
    );
  }

  return {
    read: async (email) => (await load(email)).record,
    async change(email, decide) {
      for (let tries = 1; tries <= raceTries; tries += 1) {
        const { record, revision } = await load(email);
        const { next, result } = decide(record);
        if (next === undefined || (await store(email, next, revision))) return result;
        await backOff(tries);
      }
      throw new Error(`no turn at a sign-in record in ${raceTries} tries`);
    },
  };
}

/** Rows outlive what is in them by an hour; one with nothing in it is not kept. */
function ttlOf({ code, sending }: SignInRecord): number | undefined {
  const [latest] = [code?.sentAt, sending?.until]
    .filter((at) => at !== undefined)
    .toSorted()
    .toReversed();
  if (latest === undefined) return undefined;
  return epochSeconds(plusSeconds(new Date(latest), longCodeLifeSeconds + 3600));
}
