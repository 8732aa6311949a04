import type { ReactNode } from 'react';
import { texts } from '../../texts/en.ts';
import { typeNames } from '../../texts/type-names.ts';
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
      <Choice
        label={t.status}
        value={String(filter.archived)}
        onChange={(value) => set({ archived: value === 'true' })}
      >
        <option value="false">{t.active}</option>
        <option value="true">{t.archived}</option>
      </Choice>
      <Choice label={t.type} value={filter.type} onChange={(type) => set({ type })}>
        <option value="">{t.all}</option>
        {Object.entries(typeNames).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label={t.access} value={filter.access} onChange={(access) => set({ access })}>
        <option value="">{t.all}</option>
        <option value="public">{texts.settings.accessPublic}</option>
        <option value="password">{texts.settings.accessPassword}</option>
        <option value="private">{texts.settings.accessPrivate}</option>
      </Choice>
      <Choice label={t.sort} value={filter.sort} onChange={(sort) => set({ sort: sortOf(sort) })}>
        <option value="newest">{t.newest}</option>
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

function sortOf(value: string): ProjectFilter['sort'] {
  return value === 'updated' || value === 'title' ? value : 'newest';
}

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
