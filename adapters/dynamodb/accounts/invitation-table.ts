import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { daySeconds } from '../../../contract/limits.ts';
import { Invitation, type Invitations } from '../../../core/accounts/sign-in/invitation.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { queryRows, readRow } from '../read-rows.ts';

const partition = 'INVITATIONS';
const keyOf = (email: string) => ({ pk: partition, sk: email });

/** Invitations in the accounts table, all in one partition: operators send few, and read them as one list. */
export function invitationTable(client: DynamoDBDocumentClient, table: string): Invitations {
  return {
    async find(email) {
      const row = await readRow(client, table, keyOf(email));
      return row === undefined ? undefined : Invitation.parse(row);
    },
    async put(invitation) {
      const ttl = epochSeconds(plusSeconds(new Date(invitation.expiresAt), daySeconds));
      const Item = { ...keyOf(invitation.email), ...invitation, ttl };
      const put = new PutCommand({ TableName: table, Item, ReturnValues: 'ALL_OLD' });
      const { Attributes: earlier } = await client.send(put);
      return earlier === undefined ? undefined : Invitation.parse(earlier);
    },
    async remove(email) {
      await client.send(new DeleteCommand({ TableName: table, Key: keyOf(email) }));
    },
    async list() {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': partition },
        ConsistentRead: true,
      };
      return (await queryRows(client, query)).map((row) => Invitation.parse(row));
    },
  };
}
