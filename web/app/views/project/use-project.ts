import { useParams } from '@tanstack/react-router';
import { useOperation } from '../../api/account.ts';

/** The project whose page is open; the frame around every part of it has read it. */
export function useProject() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' });
  return { projectId, project: useOperation('getProject', { projectId }).data };
}
