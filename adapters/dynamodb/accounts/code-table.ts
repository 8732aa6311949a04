import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { CodeStore } from '../../../core/accounts/ports.ts';
import { longCodeLifeSeconds, SignInRecord } from '../../../core/accounts/sign-in/sign-in-code.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { backOff } from '../../../core/back-off.ts';
import { readRow } from '../read-rows.ts';
import { put, remove, write } from '../writes.ts';

/**
 * Unique for each write, so that a row that was deleted and written again is not mistaken for the
 * one that was read.
 */
const Revision = z.object({ revision: z.string().optional() });

/**
 * A record allows a few changes an hour, so a writer that keeps losing soon finds that none is
 * allowed any more.
 */
const raceTries = 40;

/** Sign-in codes in DynamoDB, one row for each address; rows expire by TTL. */
export function codeTable(client: DynamoDBDocumentClient, table: string): CodeStore {
  const keyOf = (email: string) => ({ key: `sign-in#${email}` });

  async function load(email: string) {
    const row = (await readRow(client, table, keyOf(email))) ?? {};
    return { record: SignInRecord.parse(row), ...Revision.parse(row) };
  }

  function store(
    email: string,
    record: SignInRecord,
    readRevision: string | undefined,
  ): Promise<boolean> {
    const unchanged = {
      when: readRevision === undefined ? 'attribute_not_exists(revision)' : 'revision = :seen',
      values: { seen: readRevision },
    };
    const ttl = ttlOf(record);
    if (ttl === undefined) return write(client, remove(table, keyOf(email), unchanged));
    const row = { ...keyOf(email), ...record, revision: randomUUID(), ttl };
    return write(client, put(table, row, unchanged));
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
      throw new Error(`a sign-in record was changed concurrently in ${raceTries} tries`);
    },
  };
}

/** A row lasts one hour longer than its contents; an empty record has no row. */
function ttlOf({ code, sending }: SignInRecord): number | undefined {
  const [latest] = [code?.sentAt, sending?.until]
    .filter((at) => at !== undefined)
    .toSorted()
    .toReversed();
  if (latest === undefined) return undefined;
  return epochSeconds(plusSeconds(new Date(latest), longCodeLifeSeconds + 3600));
}
