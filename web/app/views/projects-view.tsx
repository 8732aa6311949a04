import { useInfiniteQuery } from '@tanstack/react-query';
import { useContext, useDeferredValue, useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Skeleton } from '../../ui/query-state.tsx';
import { Slipway } from '../../ui/mark.tsx';
import { AccountContext } from '../api/account.ts';
import { call } from '../api/call.ts';
import { queriesOf } from '../api/queries.ts';
import { texts } from '../texts/en.ts';
import { FileButtons } from '../upload/file-buttons.tsx';
import { ProjectFilters } from './projects/project-filters.tsx';
import { ProjectTable } from './projects/project-table.tsx';
import { defaultFilter, matchingProjects } from './projects/project-filter.ts';

const t = texts.projects;

/** The most projects that one request lists. */
const pageSize = 100;

/** All projects of the account. The API lists them in pages; all are read, so that a search finds each. */
function useProjects(archived: 'true' | 'false') {
  const account = useContext(AccountContext);
  const query = useInfiniteQuery({
    queryKey: [...queriesOf(account, 'listProjects'), 'all', archived],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      call('listProjects', { archived, limit: pageSize, offset: pageParam }, { signal }),
    getNextPageParam: ({ projects, offset }) =>
      projects.length < pageSize ? undefined : offset + pageSize,
  });
  const { hasNextPage, isFetchingNextPage, error, fetchNextPage } = query;
  if (hasNextPage && !isFetchingNextPage && error === null) void fetchNextPage();
  return { ...query, projects: query.data?.pages.flatMap(({ projects }) => projects) };
}

/** The account's projects: search, filter, sort, select; and where files are dropped. */
export function ProjectsView() {
  const [filter, setFilter] = useState(defaultFilter);
  const { projects, error, refetch } = useProjects(filter.archived ? 'true' : 'false');
  const shown = matchingProjects(projects ?? [], useDeferredValue(filter));
  const isEmpty = projects?.length === 0 && !filter.archived;
  return (
    <>
      <PageHead title={t.title}>
        <FileButtons target={{ kind: 'project' }} />
      </PageHead>
      {isEmpty ? (
        <Empty />
      ) : (
        <>
          <ProjectFilters filter={filter} onChange={setFilter} />
          {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
          {projects === undefined && error === null && <Skeleton lines={6} />}
          {projects !== undefined && (
            <>
              <p className="hint" role="status">
                {shown.length === 0 ? t.noMatch : t.count(shown.length)}
              </p>
              <ProjectTable projects={shown} isArchived={filter.archived} />
            </>
          )}
        </>
      )}
    </>
  );
}

function Empty() {
  return (
    <section className="zone empty">
      <div className="panel">
        <h2>{t.emptyTitle}</h2>
        <p className="muted">{t.emptyText}</p>
      </div>
      <Slipway />
    </section>
  );
}
