import { projectTypeNames } from '../../../../contract/type-names.ts';
import type { ReactNode } from 'react';
import { texts } from '../../texts/en.ts';
import { useOperation } from '../../api/account.ts';
import type { ProjectFilter } from './project-filter.ts';

const t = texts.projects;

/** Search, filters and order of the list. */
export function ProjectFilters({ filter, onChange }: ProjectFiltersProps) {
  const set = (fields: Partial<ProjectFilter>) => onChange({ ...filter, ...fields });
  return (
    <search className="filters">
      <label className="field grow">
        <span className="unseen">{t.search}</span>
        <input
          type="search"
          placeholder={t.search}
          value={filter.search}
          onChange={(event) => set({ search: event.target.value })}
        />
      </label>
      <Choice label={t.status} value={filter.status} onChange={(status) => set({ status })}>
        <option value="">{t.all}</option>
        {Object.entries(t.statuses).map(([status, name]) => (
          <option key={status} value={status}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label={t.type} value={filter.type} onChange={(type) => set({ type })}>
        <option value="">{t.all}</option>
        {Object.entries(projectTypeNames).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label={t.access} value={filter.access} onChange={(access) => set({ access })}>
        <option value="">{t.all}</option>
        <option value="public">{texts.settings.accessPublic}</option>
        <option value="password">{texts.settings.accessPassword}</option>
        <option value="people">{texts.settings.accessPeople}</option>
        <option value="identify">{texts.settings.accessIdentify}</option>
        <option value="private">{texts.settings.accessPrivate}</option>
      </Choice>
      <PlaceChoices filter={filter} set={set} />
      <Choice label={t.sort} value={filter.sort} onChange={(sort) => set({ sort })}>
        <option value="newest">{t.newest}</option>
        <option value="oldest">{t.oldest}</option>
        <option value="updated">{t.updated}</option>
        <option value="title">{t.byTitle}</option>
      </Choice>
    </search>
  );
}

interface ProjectFiltersProps {
  filter: ProjectFilter;
  onChange: (filter: ProjectFilter) => void;
}

/** Workspaces and domains, if the account has any. */
function PlaceChoices({ filter, set }: { filter: ProjectFilter; set: SetFilter }) {
  const { data: listed } = useOperation('listWorkspaces', {});
  const { data: owned } = useOperation('listDomains', {});
  const workspaces = listed?.workspaces ?? [];
  const domains = owned?.domains ?? [];
  return (
    <>
      {workspaces.length > 0 && (
        <Choice
          label={t.workspace}
          value={filter.workspaceId}
          onChange={(workspaceId) => set({ workspaceId })}
        >
          <option value="">{t.all}</option>
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      {domains.length > 0 && (
        <Choice label={t.domain} value={filter.domainId} onChange={(domainId) => set({ domainId })}>
          <option value="">{t.all}</option>
          {domains.map(({ id, domain }) => (
            <option key={id} value={id}>
              {domain}
            </option>
          ))}
        </Choice>
      )}
    </>
  );
}

type SetFilter = (fields: Partial<ProjectFilter>) => void;

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </label>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}
