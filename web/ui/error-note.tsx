import { ApiError, OfflineError } from '../app/api/api-error.ts';
import { StorageError } from '../app/upload/send-part.ts';
import { texts } from '../app/texts/en.ts';

/** What went wrong and what to do, in the words of the API. */
export function ErrorNote({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const { what, next } = describeError(error);
  return (
    <div className="fault" role="alert">
      <strong>{what}</strong>
      {next !== undefined && <p>{next}</p>}
      {onRetry !== undefined && (
        <button type="button" className="button quiet small" onClick={onRetry}>
          {texts.states.tryAgain}
        </button>
      )}
    </div>
  );
}

/** The two sentences of an error. Anything unexpected is told without its details. */
function describeError(error: Error): { what: string; next: string | undefined } {
  if (error instanceof ApiError) return { what: error.message, next: error.nextStep };
  if (error instanceof OfflineError) {
    return { what: texts.states.unreachable, next: texts.states.unreachableNext };
  }
  if (error instanceof StorageError) {
    return { what: texts.publish.refused(error.status), next: texts.publish.refusedNext };
  }
  return { what: texts.states.crashed, next: texts.states.crashedNext };
}
