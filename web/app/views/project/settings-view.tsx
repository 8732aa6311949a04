import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { Paid } from '../../shell/paid.tsx';
import { texts } from '../../texts/en.ts';
import { AddressFields } from './address-fields.tsx';
import { DangerZone } from './danger-zone.tsx';
import {
  AccessFields,
  EndField,
  type FieldProps,
  TitleField,
  WorkspaceField,
} from './settings-fields.tsx';
import { changeOf, formOf, type SettingsForm } from './settings-form.ts';
import { useProject } from './use-project.ts';
import { VisitorFields } from './visitor-fields.tsx';

const t = texts.settings;

/** Settings that are saved together, and their controls. */
const sections = [
  {
    title: t.sections.address,
    Fields: (props: SectionFields) => (
      <>
        <TitleField {...props} />
        <AddressFields {...props} />
        <WorkspaceField {...props} />
      </>
    ),
  },
  {
    title: t.sections.access,
    Fields: (props: SectionFields) => (
      <>
        <AccessFields {...props} hasPassword={props.project.access === 'password'} />
        <EndField {...props} />
      </>
    ),
  },
  { title: t.sections.visitors, Fields: VisitorFields },
];

type SectionFields = FieldProps & { project: Project };

/** The settings of a project. */
export function SettingsView() {
  const { project } = useProject();
  if (project === undefined) return null;
  return (
    <>
      <Paid what={texts.settings.paid}>
        {sections.map(({ title, Fields }) => (
          <Section key={project.id + title} {...{ title, Fields, project }} />
        ))}
      </Paid>
      <DangerZone project={project} />
    </>
  );
}

/** What somebody changed in one section, until it is saved or discarded; the other sections keep theirs. */
function Section({ title, Fields, project }: SectionProps) {
  const [edits, setEdits] = useState<Partial<SettingsForm>>({});
  const [round, setRound] = useState(0);
  const save = useChange('updateProjectSettings', ['getProject', 'listProjects', 'listWorkspaces']);
  const form = { ...formOf(project), ...edits };
  const change = changeOf(project, form);
  const isChanged = Object.keys(change).length > 1;
  const startAgain = () => {
    setEdits({});
    // The controls are made anew, with what is saved.
    setRound(round + 1);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(change, { onSuccess: startAgain });
  };
  return (
    <form className="part stack settings" aria-label={title} onSubmit={submit}>
      <h2>{title}</h2>
      <Fields
        key={round}
        form={form}
        project={project}
        set={(fields) => setEdits((before) => ({ ...before, ...fields }))}
      />
      {save.error && <ErrorNote error={save.error} />}
      <p role="status">{save.isSuccess && !isChanged && texts.states.saved}</p>
      {isChanged && (
        <div className="unsaved" role="group" aria-label={t.unsaved}>
          <strong>{t.unsaved}</strong>
          <button className="button small" disabled={save.isPending}>
            {save.isPending ? texts.states.saving : t.save}
          </button>
          <Button onClick={startAgain}>{t.discard}</Button>
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

interface SectionProps {
  title: string;
  Fields: (props: SectionFields) => ReactNode;
  project: Project;
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
        <Button looks="danger" onClick={proceed}>
          {t.leave}
        </Button>
        <Button looks="quiet" onClick={reset}>
          {t.stay}
        </Button>
      </div>
    </Dialog>
  );
}
