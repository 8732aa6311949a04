import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type ChangeOwner,
  EmailChange,
  type EmailChangeStore,
} from '../../../core/accounts/email-change/email-change.ts';
import { epochSeconds } from '../../../core/instants.ts';
import { findRow } from '../read-rows.ts';
import { put, remove, write } from '../writes.ts';

/** Pending changes of addresses in DynamoDB, one row for each session; rows expire by TTL. */
export function emailChangeTable(client: DynamoDBDocumentClient, table: string): EmailChangeStore {
  const keyOf = ({ accountId, id }: ChangeOwner) => ({ key: `email-change#${accountId}#${id}` });
  return {
    read: (owner) => findRow(client, table, keyOf(owner), (row) => EmailChange.parse(row)),
    async put(owner, change) {
      const ttl = epochSeconds(new Date(change.expiresAt)) + 3600;
      await write(client, put(table, { ...keyOf(owner), ...change, ttl }));
    },
    remove: (owner, nonce) =>
      write(client, remove(table, keyOf(owner), { when: 'nonce = :nonce', values: { nonce } })),
  };
}
