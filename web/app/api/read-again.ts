import type { QueryClient } from '@tanstack/react-query';

/**
 * Requests the data of these queries again. A first request that is still under way is cancelled, because its
 * answer may be older than the change.
 */
export async function readAgain(client: QueryClient, queryKey: readonly string[]): Promise<void> {
  await client.cancelQueries({
    queryKey,
    predicate: (query) => query.state.data === undefined && query.isActive(),
  });
  await client.invalidateQueries({ queryKey });
}
