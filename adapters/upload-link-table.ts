import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { epochSeconds, plusSeconds } from '../core/instants.ts';
import type { UploadLinkStore } from '../core/upload-links/ports.ts';
import { UploadLink } from '../core/upload-links/upload-link.ts';
import { unlessLost } from './dynamodb.ts';
import { withoutNulls } from './project-rows.ts';

const linkKey = (tokenHash: string) => ({ pk: `LINK#${tokenHash}`, sk: 'LINK' });

/** For so long a link whose time is over is told apart from one that never was. */
const endedSeconds = 24 * 3600;

/** What is null is absent. */
const LinkRow = UploadLink.extend({
  grantId: UploadLink.shape.grantId.default(null),
  title: UploadLink.shape.title.default(null),
  projectId: UploadLink.shape.projectId.default(null),
  uploadId: UploadLink.shape.uploadId.default(null),
});

/** One change of a link's state. */
interface Step {
  from: UploadLink['state'];
  to: UploadLink['state'];
  set?: string;
  when?: string;
  values?: Record<string, unknown>;
}

/** Upload links in DynamoDB, in the table of projects; rows leave by TTL a day after their time. */
export function uploadLinkTable(client: DynamoDBDocumentClient, table: string): UploadLinkStore {
  const move = (tokenHash: string, { from, to, set = '', when = '', values }: Step) =>
    unlessLost(
      client.send(
        new UpdateCommand({
          TableName: table,
          Key: linkKey(tokenHash),
          UpdateExpression: `SET #state = :to${set}`,
          ConditionExpression: `#state = :from${when}`,
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':from': from, ':to': to, ...values },
        }),
      ),
    );
  return {
    async create(tokenHash, link) {
      const ttl = epochSeconds(plusSeconds(new Date(link.expiresAt), endedSeconds));
      const Item = { ...linkKey(tokenHash), ...withoutNulls(link), ttl };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
    async find(tokenHash) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: linkKey(tokenHash), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : UploadLink.parse(LinkRow.parse(Item));
    },
    take: (tokenHash, at) => {
      const values = { ':at': at };
      const when = ' AND expiresAt > :at';
      return move(tokenHash, { from: 'waiting', to: 'taken', when, values });
    },
    async giveBack(tokenHash) {
      await move(tokenHash, { from: 'taken', to: 'waiting' });
    },
    async use(tokenHash, uploadId) {
      const large = uploadId !== null && {
        set: ', uploadId = :uploadId',
        values: { ':uploadId': uploadId },
      };
      await move(tokenHash, { from: 'taken', to: 'used', ...large });
    },
    async reopen(tokenHash, uploadId) {
      const values = { ':uploadId': uploadId };
      const when = ' AND uploadId = :uploadId';
      await move(tokenHash, { from: 'used', to: 'waiting', when, values });
    },
  };
}
