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

/** A filter in the address: only what differs from the default. The search is `q`. */
export type FilterInAddress = Partial<Omit<ProjectFilter, 'search'> & { q: string }>;

/** What an address may say about the filter; anything else in it is ignored. */
export function addressOf(search: Record<string, unknown>): FilterInAddress {
  const { search: _, ...others } = defaultFilter;
  const known = Object.keys({ q: '', ...others });
  return Object.fromEntries(
    known.flatMap((name) => {
      const value = search[name];
      const isUsual = value === '' || value === Object(others)[name];
      return isUsual || !['string', 'number'].includes(typeof value) ? [] : [[name, String(value)]];
    }),
  );
}

/** The filter of an address. */
export function filterOf({ q = '', ...others }: FilterInAddress): ProjectFilter {
  return { ...defaultFilter, ...others, search: q };
}

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
