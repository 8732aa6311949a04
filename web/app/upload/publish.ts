import { useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { AccountContext } from '../api/account.ts';
import type { Picked } from './dropped-files.ts';
import { startUpload } from './upload-store.ts';
import type { UploadTarget } from './upload-state.ts';

/** Publishes files; afterwards everything that the account sees is read again. */
export function usePublish(): (picked: Picked, target: UploadTarget) => void {
  const client = useQueryClient();
  const account = useContext(AccountContext);
  return (picked, target) =>
    startUpload(picked, target, () => {
      void client.invalidateQueries({ queryKey: [account] });
    });
}
