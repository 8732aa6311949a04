import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DeviceAuthorization } from '../../../core/oauth/device/waiting-device.ts';
import type { DeviceStore } from '../../../core/oauth/ports.ts';
import { findRow } from '../read-rows.ts';
import { type Change, exists, put, update, write } from '../writes.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';

/** Programs that wait to be allowed, in DynamoDB; rows expire by TTL. */
export function oauthDeviceTable(client: DynamoDBDocumentClient, table: string): DeviceStore {
  const change = (userCode: string, changes: Change) =>
    write(client, update(table, oauthKeys.device(userCode), changes));
  return {
    begin(device) {
      const { userCode, createdAt, expiresAt } = device;
      const row = { ...oauthKeys.device(userCode), ...device, ttl: ttlOf(expiresAt) };
      // DynamoDB removes expired rows late.
      const isFree = {
        when: 'attribute_not_exists(pk) OR expiresAt < :createdAt',
        values: { createdAt },
      };
      return write(client, put(table, row, isFree));
    },
    find: (userCode) =>
      findRow(client, table, oauthKeys.device(userCode), (row) => DeviceAuthorization.parse(row)),
    async notePoll(userCode, { polledAt, intervalSeconds }) {
      await change(userCode, { set: { polledAt, intervalSeconds }, ...exists });
    },
    decide: (userCode, { decision, accountId, sessionHash }) =>
      change(userCode, {
        set: { decision, accountId, sessionHash },
        when: 'attribute_exists(pk) AND attribute_not_exists(decision)',
      }),
    redeem: (userCode, usedAt) =>
      change(userCode, {
        set: { usedAt },
        when: 'decision = :allowed AND attribute_not_exists(usedAt)',
        values: { allowed: 'allowed' },
      }),
  };
}
