// oxlint-disable-next-line import/no-unassigned-import -- a stylesheet
import 'virtual:stylesheet.css';
// oxlint-disable-next-line import/no-unassigned-import -- a stylesheet
import '../ui/ui.css';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.ts';
import { createAppRouter } from './router.tsx';
import { endUndoOf } from './shell/undo-store.ts';
import { dismissDone } from './upload/upload-store.ts';

/** A refused request is not repeated; any other failure may pass. */
function shouldRetry(failures: number, error: Error): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

/** After these, another version is live or visitors get something else: no earlier offer to take a change back is right. */
const takesPlace = new Set<unknown>([
  'archiveProject',
  'deleteProject',
  'restoreProject',
  'rollBackProject',
  'unarchiveProject',
]);

/** Ends what a change of a project makes untrue: what is said of its last upload, and the offer to take a change back. */
function forgetWhatWasSaid(operation: unknown, input: unknown): void {
  const { projectId, slug, domainId } = Object(input);
  if (typeof projectId !== 'string') return;
  if (takesPlace.has(operation)) {
    dismissDone(projectId);
    endUndoOf(projectId);
  } else if (operation === 'updateProjectSettings' && (slug ?? domainId) !== undefined) {
    // A draft's card names no address.
    dismissDone(projectId, { keepsDraft: true });
  }
}

const client = new QueryClient({
  mutationCache: new MutationCache({
    onSuccess: (_, input, __, { meta }) => forgetWhatWasSaid(meta?.['operation'], input),
  }),
  defaultOptions: { queries: { retry: shouldRetry, staleTime: 10_000 } },
});
const router = createAppRouter(client);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
