import { useInfiniteQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { AccountContext } from './account.ts';
import type { CallOptions } from './call.ts';
import type { OperationName } from './contract.ts';
import { queriesOf } from './queries.ts';

/**
 * The pages of an operation, each read when it is wanted.
 * @param key tells this list from others of the operation
 * @param read reads the page after a cursor
 */
export function usePages<Page extends { nextCursor: string | null }>(
  name: OperationName,
  key: readonly unknown[],
  read: (cursor: string | undefined, options: CallOptions) => Promise<Page>,
) {
  return useInfiniteQuery({
    queryKey: [...queriesOf(useContext(AccountContext), name), ...key],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => read(pageParam || undefined, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}
