import { type DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { DeviceAuthorization } from '../../../core/oauth/device/waiting-device.ts';
import type { DeviceStore } from '../../../core/oauth/ports.ts';
import { tryConditionalWrite } from '../document-client.ts';
import { readRow } from '../read-rows.ts';
import { oauthKeys, ttlOf } from './oauth-rows.ts';

/** Programs that wait to be allowed, in DynamoDB; rows expire by TTL. */
export function oauthDeviceTable(client: DynamoDBDocumentClient, table: string): DeviceStore {
  const change = (
    userCode: string,
    set: string,
    condition: string,
    values: Record<string, unknown>,
  ) =>
    tryConditionalWrite(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: oauthKeys.device(userCode),
          UpdateExpression: `SET ${set}`,
          ConditionExpression: condition,
          ExpressionAttributeValues: values,
        }),
      ),
    );
  return {
    begin: (device) => tryConditionalWrite(client.send(beginCommand(table, device))),
    async find(userCode) {
      const item = await readRow(client, table, oauthKeys.device(userCode));
      return item === undefined ? undefined : DeviceAuthorization.parse(item);
    },
    async notePoll(userCode, { polledAt, intervalSeconds }) {
      const values = { ':polledAt': polledAt, ':seconds': intervalSeconds };
      const set = 'polledAt = :polledAt, intervalSeconds = :seconds';
      await change(userCode, set, 'attribute_exists(pk)', values);
    },
    decide: (userCode, { decision, accountId }) =>
      change(
        userCode,
        'decision = :decision, accountId = :accountId',
        'attribute_exists(pk) AND attribute_not_exists(decision)',
        { ':decision': decision, ':accountId': accountId },
      ),
    redeem: (userCode, usedAt) =>
      change(userCode, 'usedAt = :usedAt', 'decision = :allowed AND attribute_not_exists(usedAt)', {
        ':usedAt': usedAt,
        ':allowed': 'allowed',
      }),
  };
}

function beginCommand(TableName: string, device: DeviceAuthorization) {
  return new PutCommand({
    TableName,
    Item: { ...oauthKeys.device(device.userCode), ...device, ttl: ttlOf(device.expiresAt) },
    // DynamoDB removes expired rows late.
    ConditionExpression: 'attribute_not_exists(pk) OR expiresAt < :createdAt',
    ExpressionAttributeValues: { ':createdAt': device.createdAt },
  });
}
