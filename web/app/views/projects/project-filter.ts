import type { Input } from '../../api/contract.ts';

type Query = Input<'listProjects'>;

/** What of the list is shown, and in which order. Empty texts are no filter. */
export interface ProjectFilter {
  search: string;
  type: string;
  access: string;
  status: string;
  workspaceId: string;
  domainId: string;
  sort: string;
}

export const defaultFilter: ProjectFilter = {
  search: '',
  type: '',
  access: '',
  status: '',
  workspaceId: '',
  domainId: '',
  sort: 'newest',
};

/** Whether a filter leaves nothing out. */
export function isUnfiltered(filter: ProjectFilter): boolean {
  const { search, type, access, status, workspaceId, domainId } = filter;
  return [search.trim(), type, access, status, workspaceId, domainId].every((one) => one === '');
}

/** The fields of a request for a filter. */
export function projectQuery({ search, ...filter }: ProjectFilter): Query {
  const isArchived = filter.status === 'archived';
  const fields = Object.entries({ ...filter, q: search.trim() }).filter(
    ([, value]) => value !== '',
  );
  return { archived: isArchived ? 'true' : 'false', ...Object.fromEntries(fields) };
}
