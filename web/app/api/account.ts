import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { call } from './call.ts';
import type { Input, OperationName, Output } from './contract.ts';
import { operationQuery, queriesOf } from './queries.ts';
import { readAgain } from './read-again.ts';

/** The e-mail address of the account that is signed in. */
export const AccountContext = createContext('');

/** The result of an operation that reads. */
export function useOperation<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  options: { enabled?: boolean; refetchInterval?: number } = {},
) {
  return useQuery({ ...operationQuery(useContext(AccountContext), name, input), ...options });
}

/**
 * Calls an operation that changes something, then reads the results of the operations in `changes` again.
 */
export function useChange<Name extends OperationName>(
  name: Name,
  changes: readonly OperationName[],
  onDone?: (output: Output<Name>, input: Input<Name>) => void,
) {
  const client = useQueryClient();
  const account = useContext(AccountContext);
  return useMutation({
    mutationFn: (input: Input<Name>) => call(name, input),
    meta: { operation: name },
    onSuccess: async (output, input) => {
      onDone?.(output, input);
      await Promise.all(changes.map((one) => readAgain(client, queriesOf(account, one))));
    },
  });
}
