import { useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { AccountContext } from '../api/account.ts';
import { readAgain } from '../api/read-again.ts';
import type { Picked } from './picked.ts';
import type { InterruptedUpload, UploadTarget } from './upload-state.ts';
import { resumeInterrupted, startUpload } from './upload-store.ts';

/** Publishes files; afterwards everything that the account sees is read again. */
export function usePublish(): (picked: Picked, target: UploadTarget) => void {
  const account = useContext(AccountContext);
  const onPublished = useReadAgain();
  return (picked, target) => startUpload({ account, picked, target, onPublished });
}

/** Goes on with an upload that a reload interrupted. */
export function useResume(): (interrupted: InterruptedUpload, picked: Picked) => void {
  const onPublished = useReadAgain();
  return (interrupted, picked) => resumeInterrupted(interrupted, picked, onPublished);
}

function useReadAgain(): () => void {
  const client = useQueryClient();
  const account = useContext(AccountContext);
  return () => void readAgain(client, [account]);
}
