import type { Project } from '../../api/contract.ts';

/** What of the list is shown, and in which order. */
export interface ProjectFilter {
  search: string;
  type: string;
  access: string;
  sort: 'newest' | 'updated' | 'title';
  archived: boolean;
}

export const defaultFilter: ProjectFilter = {
  search: '',
  type: '',
  access: '',
  sort: 'newest',
  archived: false,
};

/** Projects that match every part of a filter, in its order. */
export function matchingProjects(projects: readonly Project[], filter: ProjectFilter): Project[] {
  const search = filter.search.trim().toLocaleLowerCase();
  const matches = ({ title, url, type, access }: Project) =>
    (filter.type === '' || type === filter.type) &&
    (filter.access === '' || access === filter.access) &&
    (search === '' || `${title}\n${url}`.toLocaleLowerCase().includes(search));
  return projects.filter(matches).toSorted(orders[filter.sort]);
}

const orders: Record<ProjectFilter['sort'], (a: Project, b: Project) => number> = {
  newest: (a, b) => b.createdAt.localeCompare(a.createdAt),
  updated: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
  title: (a, b) => a.title.localeCompare(b.title),
};
