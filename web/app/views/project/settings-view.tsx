import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { Paid } from '../../shell/paid.tsx';
import { texts } from '../../texts/en.ts';
import { AddressFields } from './address-fields.tsx';
import { DangerZone } from './danger-zone.tsx';
import { AccessFields, EndField, TitleField, WorkspaceField } from './settings-fields.tsx';
import { changeOf, formOf, type SettingsForm } from './settings-form.ts';
import { useProject } from './use-project.ts';
import { VisitorFields } from './visitor-fields.tsx';

const t = texts.settings;

type Save = ReturnType<typeof useChange<'updateProjectSettings'>>;

/** The settings of a project. */
export function SettingsView() {
  const { project } = useProject();
  // Not in the form, which is made anew after each save.
  const save = useChange('updateProjectSettings', ['getProject', 'listProjects', 'listWorkspaces']);
  if (project === undefined) return null;
  return (
    <>
      <Paid what={texts.settings.paid}>
        <Form key={project.updatedAt} project={project} save={save} />
      </Paid>
      <DangerZone project={project} />
    </>
  );
}

function Form({ project, save }: { project: Project; save: Save }) {
  const [form, setForm] = useState(() => formOf(project));
  const set = (fields: Partial<SettingsForm>) => setForm({ ...form, ...fields });
  const change = changeOf(project, form);
  const isChanged = Object.keys(change).length > 1;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(change);
  };
  return (
    <form className="stack settings" onSubmit={submit}>
      <TitleField form={form} set={set} />
      <AddressFields form={form} project={project} set={set} />
      <AccessFields form={form} hasPassword={project.access === 'password'} set={set} />
      <EndField form={form} project={project} set={set} />
      <VisitorFields form={form} set={set} />
      <WorkspaceField form={form} set={set} />
      {save.error && <ErrorNote error={save.error} />}
      <p role="status">{save.isSuccess && !isChanged && texts.states.saved}</p>
      {isChanged && (
        <div className="unsaved" role="group" aria-label={t.unsaved}>
          <strong>{t.unsaved}</strong>
          <button className="button small" disabled={save.isPending}>
            {save.isPending ? texts.states.saving : t.save}
          </button>
          <button
            type="button"
            className="button quiet small"
            onClick={() => setForm(formOf(project))}
          >
            {t.discard}
          </button>
        </div>
      )}
      <Leaving isChanged={isChanged} />
      {save.data?.warnings?.map(({ field, message }) => (
        <p key={field} className="note">
          {message}
        </p>
      ))}
    </form>
  );
}

/** Asks before somebody leaves with changes that are not saved. */
function Leaving({ isChanged }: { isChanged: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Dialog title={t.leaveTitle} onClose={reset}>
      <p>{t.leaveText}</p>
      <div className="choices">
        <button type="button" className="button danger" onClick={proceed}>
          {t.leave}
        </button>
        <button type="button" className="button quiet" onClick={reset}>
          {t.stay}
        </button>
      </div>
    </Dialog>
  );
}
