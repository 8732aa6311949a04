import { useContext } from 'react';
import { AccountContext } from '../api/account.ts';
import { call } from '../api/call.ts';
import type { Input, OperationName } from '../api/contract.ts';
import { takeBackEach } from './take-back.ts';
import { offerUndo } from './undo-store.ts';

/** Offers to take a change back by calling an operation, once for each input. */
export function useUndo() {
  const account = useContext(AccountContext);
  return <Name extends OperationName>(
    text: string,
    name: Name,
    inputs: readonly (Input<Name> & { projectId: string })[],
  ) => {
    const projectIds = inputs.map(({ projectId }) => projectId);
    const run = takeBackEach(inputs, (input) => call(name, input));
    offerUndo({ text, account, projectIds, run });
  };
}
