import { useQueryClient } from '@tanstack/react-query';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { isSignedOut } from '../api/api-error.ts';
import { useIsOnline } from './use-is-online.ts';
import { texts } from '../texts/en.ts';

/** Chrome, Firefox and Safari name a module that cannot be loaded differently. */
const lostChunk = /dynamically imported module|Importing a module script failed|error loading/i;

/** What a view shows when it fails: a tab that is older than the service is told to reload. */
export function RouteError({ error: thrown, reset }: ErrorComponentProps) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const client = useQueryClient();
  const isOnline = useIsOnline();
  const retry = () => {
    if (isSignedOut(error)) client.clear();
    reset();
  };
  if (!lostChunk.test(error.message)) {
    return (
      <div className="sheet">
        <ErrorNote error={error} onRetry={retry} />
      </div>
    );
  }
  return (
    <div className="sheet">
      <div className="fault" role="alert">
        <strong>{isOnline ? texts.states.outdated : texts.states.offline}</strong>
        {isOnline && (
          <Button looks="small" onClick={() => location.reload()}>
            {texts.states.reload}
          </Button>
        )}
      </div>
    </div>
  );
}
