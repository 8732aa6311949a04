/** The index of the lists of accounts and operators: projects, domains and abuse reports. */
export const ownerIndex = 'byOwner';

/** Some rows of one list of {@link ownerIndex}. */
export interface OwnerQuery {
  /** The list: the `ownerState` of its rows. */
  list: string;
  /** The `listedAt` of the row before the first one. */
  after?: string | undefined;
  isNewestFirst?: boolean;
  /** Only rows in which this attribute has this value. */
  filter?: readonly [attribute: string, value: string] | undefined;
  /** The attributes that are returned, with commas; default: all. */
  only?: string;
}

/** The query of some rows of one list, in the order of their `listedAt`; the index is eventually consistent. */
export function ownerQuery(
  TableName: string,
  { list, after, isNewestFirst = false, filter, only }: OwnerQuery,
) {
  const bound = isNewestFirst ? '<' : '>';
  return {
    TableName,
    IndexName: ownerIndex,
    KeyConditionExpression: `ownerState = :list${after === undefined ? '' : ` AND listedAt ${bound} :after`}`,
    FilterExpression: filter && `${filter[0]} = :filter`,
    ExpressionAttributeValues: { ':list': list, ':after': after, ':filter': filter?.[1] },
    ProjectionExpression: only,
    ScanIndexForward: !isNewestFirst,
  };
}
