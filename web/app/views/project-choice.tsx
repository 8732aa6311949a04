import type { ComponentProps } from 'react';
import { useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';

type Project = Output<'listProjects'>['projects'][number];

interface ProjectChoiceProps extends ComponentProps<'select'> {
  label: string;
  /** The name of no project, which is the empty value. */
  none: string;
  hint?: string;
  offers?: (project: Project) => boolean;
}

/** Chooses one of the newest hundred projects, or none. */
export function ProjectChoice({
  label,
  none,
  hint,
  offers = () => true,
  ...select
}: ProjectChoiceProps) {
  const { data } = useOperation('listProjects', { limit: '100' });
  return (
    <label className="field">
      <span>{label}</span>
      <select {...select}>
        <option value="">{none}</option>
        {data?.projects.filter(offers).map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      {hint && <span className="hint">{hint}</span>}
    </label>
  );
}
