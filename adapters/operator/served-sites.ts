import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { parseSiteRow } from '../dynamodb/projects/site-directory.ts';

/** Rows of a page: the files of all of them may be in memory at once. */
const pageRows = 32;

/** Every address that serves something, in pages as they were read, from the whole table of sites. */
export async function* servedSites(
  client: DynamoDBDocumentClient,
  TableName: string,
): AsyncGenerator<ServingRecord[]> {
  let from: Record<string, unknown> | undefined;
  do {
    const scan = new ScanCommand({ TableName, Limit: pageRows, ExclusiveStartKey: from });
    const { Items = [], LastEvaluatedKey } = await client.send(scan);
    yield Items.flatMap((row) => parseSiteRow(row) ?? []);
    from = LastEvaluatedKey;
  } while (from !== undefined);
}
