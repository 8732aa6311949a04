import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { ServingRecord } from '../../core/visit/serving-record.ts';
import { parseSiteRow } from '../dynamodb/projects/site-directory.ts';

/** Rows of a page: the files of all of them may be in memory at once. */
const pageRows = 32;

/**
 * A page of addresses that serve something, and of addresses whose rows cannot be parsed and
 * therefore serve nothing.
 */
export interface ServedPage {
  sites: ServingRecord[];
  unreadable: string[];
}

/** Every address that serves something, in pages, from the whole table of sites. */
export async function* servedSites(
  client: DynamoDBDocumentClient,
  TableName: string,
): AsyncGenerator<ServedPage> {
  let from: Record<string, unknown> | undefined;
  do {
    const scan = new ScanCommand({ TableName, Limit: pageRows, ExclusiveStartKey: from });
    const { Items = [], LastEvaluatedKey } = await client.send(scan);
    yield readPage(Items);
    from = LastEvaluatedKey;
  } while (from !== undefined);
}

function readPage(rows: readonly Record<string, unknown>[]): ServedPage {
  const page: ServedPage = { sites: [], unreadable: [] };
  for (const row of rows) {
    try {
      const site = parseSiteRow(row);
      if (site !== undefined) page.sites.push(site);
    } catch {
      page.unreadable.push(String(row['host']));
    }
  }
  return page;
}
