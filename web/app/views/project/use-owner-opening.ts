import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Project } from '../../api/contract.ts';

/** Whether everybody who has the link sees the project. */
export const isOpenToAll = ({ status, access }: Project) =>
  status === 'public' && access === 'public';

/**
 * Opens an address of a project in a tab of its own, whatever the project's access. The link that lets the
 * owner in works once, so each press makes one.
 */
export function useOwnerOpening(projectId: string) {
  return useMutation({
    mutationFn: async (address: string) => {
      const { url } = await call('createViewLink', { projectId });
      const opened = new URL(address);
      const owner = new URL(new URL(url).pathname, opened);
      owner.searchParams.set('to', opened.pathname + opened.search);
      return owner.href;
    },
    onSuccess: (url) => void window.open(url, '_blank', 'noreferrer'),
  });
}
