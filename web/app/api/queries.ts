import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';
import type { Input, OperationName, Output } from './contract.ts';

/**
 * A query of an operation. The account is part of the key, so that what one account read is never found
 * by another.
 */
export function operationQuery<Name extends OperationName>(
  account: string,
  name: Name,
  input: Input<Name>,
) {
  return queryOptions<Output<Name>>({
    queryKey: [account, name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
  });
}

/** The key under which all queries of an operation are found. */
export function queriesOf(account: string, name: OperationName): readonly string[] {
  return [account, name];
}
