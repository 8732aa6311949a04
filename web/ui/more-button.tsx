/** Reads the next part of a list, where there is one. */
export function MoreButton({ query, label }: MoreButtonProps) {
  if (!query.hasNextPage) return null;
  return (
    <button
      type="button"
      className="button quiet"
      disabled={query.isFetching}
      onClick={() => void query.fetchNextPage()}
    >
      {label}
    </button>
  );
}

interface MoreButtonProps {
  query: { hasNextPage: boolean; isFetching: boolean; fetchNextPage: () => Promise<unknown> };
  label: string;
}
