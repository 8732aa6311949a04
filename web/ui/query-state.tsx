import type { ReactNode } from 'react';
import { isMissing } from '../app/api/api-error.ts';
import { MissingView } from '../app/shell/missing-view.tsx';
import { texts } from '../app/texts/en.ts';
import { ErrorNote } from './error-note.tsx';
import { PageHead } from './page-head.tsx';

/** What a query shows: placeholder lines at first, then its data, or its error with a way to try again. */
export function QueryState<Data>({ query, lines = 3, title, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  // A view whose own thing is gone has no page.
  if (title !== undefined && isMissing(query.error)) return <MissingView />;
  if (query.error !== null) {
    return (
      <>
        {title !== undefined && <PageHead title={title} />}
        <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  }
  return <Skeleton lines={lines} />;
}

interface QueryStateProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch(): unknown };
  lines?: number;
  /** The heading of a view whose own title could not be read: the focus needs one there too. */
  title?: string;
  children: (data: Data) => ReactNode;
}

/** Lines where a list is about to be. */
export function Skeleton({ lines }: { lines: number }) {
  return (
    <div className="skeleton" role="status" aria-label={texts.states.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
