import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads again what is shown of these queries. A first answer that is still on its way may be older than the change
 * and would be taken as the new one, so it is not waited for.
 */
export async function readAgain(client: QueryClient, queryKey: readonly string[]): Promise<void> {
  await client.cancelQueries({
    queryKey,
    predicate: (query) => query.state.data === undefined && query.isActive(),
  });
  await client.invalidateQueries({ queryKey });
}
