import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
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
import {
  addressOf,
  filterOf,
  isUnfiltered,
  type ProjectFilter,
  projectQuery,
} from './projects/project-filter.ts';

const t = texts.projects;

/** The most projects that one request lists. */
const pageSize = 100;

/** The projects that match a filter, in pages that are read when somebody scrolls to their end. */
function useProjects(filter: ProjectFilter) {
  const account = useContext(AccountContext);
  const query = useInfiniteQuery({
    queryKey: [...queriesOf(account, 'listProjects'), 'pages', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === '' ? undefined : pageParam;
      const page = { limit: pageSize, cursor, include: 'opens' } as const;
      return call('listProjects', { ...projectQuery(filter), ...page }, { signal });
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    // While another filter is read, the list stays.
    placeholderData: (before) => before,
  });
  return { ...query, projects: query.data?.pages.flatMap(({ projects }) => projects) };
}

/** The filter, which is in the address too: a reload, a bookmark and the way back keep it. */
function useFilter() {
  const [filter, setFilter] = useState(filterOf(useSearch({ from: '/signed-in/' })));
  const navigate = useNavigate();
  const change = (next: ProjectFilter) => {
    setFilter(next);
    const { search: q, ...others } = next;
    void navigate({ to: '/', search: addressOf({ q, ...others }), replace: true });
  };
  return [filter, change] as const;
}

/** The account's projects: search, filter, sort, select; and where files are dropped. */
export function ProjectsView() {
  const [filter, setFilter] = useFilter();
  const query = useProjects(useDeferredValue(filter));
  const { projects, error, hasNextPage } = query;
  const isEmpty = projects?.length === 0 && isUnfiltered(filter);
  const readMore = () => {
    if (hasNextPage && !query.isFetching && error === null) void query.fetchNextPage();
  };
  return (
    <>
      <PageHead title={t.title}>
        <FileButtons target={{ kind: 'project' }} />
      </PageHead>
      {isEmpty ? <Empty /> : <ProjectFilters filter={filter} onChange={setFilter} />}
      {error && <ErrorNote error={error} onRetry={() => void query.refetch()} />}
      {projects === undefined && error === null && <Skeleton lines={6} />}
      {projects !== undefined && !isEmpty && (
        <>
          <p className="hint" role="status">
            {projects.length === 0 ? t.noMatch : t.count(projects.length, hasNextPage)}
          </p>
          <ProjectTable
            projects={projects}
            isArchived={filter.status === 'archived'}
            hasMore={hasNextPage}
            onEnd={readMore}
          />
        </>
      )}
      <p className="hint">
        <Link to="/deleted">{t.deletedLink}</Link>
      </p>
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
