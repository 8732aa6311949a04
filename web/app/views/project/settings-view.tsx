import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { DangerZone } from './danger-zone.tsx';
import { AccessFields, ExpiryField, VisitorFields, WorkspaceField } from './settings-fields.tsx';
import { changeOf, formOf, type SettingsForm } from './settings-form.ts';
import { useProject } from './use-project.ts';

const t = texts.settings;

/** The settings of a project. */
export function SettingsView() {
  const { project } = useProject();
  if (project === undefined) return null;
  return (
    <>
      <Form key={project.updatedAt} project={project} />
      <DangerZone project={project} />
    </>
  );
}

function Form({ project }: { project: Project }) {
  const [form, setForm] = useState(() => formOf(project));
  const save = useChange('updateProject', ['getProject', 'listProjects', 'listWorkspaces']);
  const set = (fields: Partial<SettingsForm>) => setForm({ ...form, ...fields });
  const change = changeOf(project, form);
  const isChanged = Object.keys(change).length > 1;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(change);
  };
  return (
    <form className="stack settings" onSubmit={submit}>
      <label className="field">
        <span>{t.title}</span>
        <input required maxLength={255} value={form.title} onChange={(event) => set({ title: event.target.value })} />
      </label>
      <label className="field">
        <span>{t.slug}</span>
        <input
          required
          pattern="[a-z0-9](?:[a-z0-9\-]{0,61}[a-z0-9])?"
          aria-describedby="slug-hint"
          value={form.slug}
          onChange={(event) => set({ slug: event.target.value })}
        />
        <span id="slug-hint" className="hint">
          {t.slugHint}
        </span>
      </label>
      <AccessFields form={form} hasPassword={project.access === 'password'} set={set} />
      <ExpiryField form={form} expiresAt={project.expiresAt} set={set} />
      <VisitorFields form={form} set={set} />
      <WorkspaceField form={form} set={set} />
      {save.error && <ErrorNote error={save.error} />}
      <div className="choices">
        <button className="button" disabled={!isChanged || save.isPending}>
          {save.isPending ? texts.states.saving : texts.states.save}
        </button>
        <span role="status">{save.isSuccess && !isChanged && texts.states.saved}</span>
      </div>
      {save.data?.warnings?.map(({ field, message }) => (
        <p key={field} className="note">
          {message}
        </p>
      ))}
    </form>
  );
}
