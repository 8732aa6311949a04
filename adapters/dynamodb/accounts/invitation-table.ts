import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { daySeconds } from '../../../contract/limits.ts';
import { Invitation, type Invitations } from '../../../core/accounts/sign-in/invitation.ts';
import { epochSeconds, plusSeconds } from '../../../core/instants.ts';
import { findRow, partitionRows } from '../read-rows.ts';
import { remove, write } from '../writes.ts';

const partition = 'INVITATIONS';
const keyOf = (email: string) => ({ pk: partition, sk: email });

/** Invitations in the accounts table, all in one partition: operators send few, and read them as one list. */
export function invitationTable(client: DynamoDBDocumentClient, table: string): Invitations {
  return {
    find: (email) => findRow(client, table, keyOf(email), (row) => Invitation.parse(row)),
    async put(invitation) {
      const ttl = epochSeconds(plusSeconds(new Date(invitation.expiresAt), daySeconds));
      const Item = { ...keyOf(invitation.email), ...invitation, ttl };
      const put = new PutCommand({ TableName: table, Item, ReturnValues: 'ALL_OLD' });
      const { Attributes: earlier } = await client.send(put);
      return earlier === undefined ? undefined : Invitation.parse(earlier);
    },
    async remove(email) {
      await write(client, remove(table, keyOf(email)));
    },
    async list() {
      const rows = await partitionRows(client, table, { pk: partition });
      return rows.map((row) => Invitation.parse(row));
    },
  };
}
