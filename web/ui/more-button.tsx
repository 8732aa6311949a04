import { Button } from './button.tsx';
/** Reads the next part of a list, where there is one. */
export function MoreButton({ query, label }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <Button looks="quiet" disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  );
}

interface MoreButtonProps {
  query: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => Promise<unknown> };
  label: string;
}
