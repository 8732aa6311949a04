import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useChange } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { useUndo } from '../../shell/use-undo.ts';
import { texts } from '../../texts/en.ts';

const t = texts.settings;
const changed = ['getProject', 'listProjects', 'getUser'] as const;

/** Takes a project offline, or deletes it. */
export function DangerZone({ project }: { project: Project }) {
  const { id: projectId, archivedAt, title } = project;
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const offer = useUndo();
  const remove = useChange('deleteProject', ['listProjects', 'getUser'], () => {
    offer(texts.undo.deleted(1), 'restoreProject', [{ projectId }]);
    void navigate({ to: '/' });
  });
  const isArchived = archivedAt !== null;
  const toggle = useArchiving(project);
  return (
    <section className="part danger-zone">
      <h2>{t.danger}</h2>
      <div className="row">
        <p className="row-main">{t.archiveText}</p>
        <Button
          looks="quiet"
          disabled={toggle.isPending}
          onClick={() => toggle.mutate({ projectId })}
        >
          {isArchived ? texts.projects.unarchive : texts.projects.archive}
        </Button>
      </div>
      {toggle.error && <ErrorNote error={toggle.error} />}
      <div className="row">
        <p className="row-main">{t.deleteText}</p>
        <Button looks="danger" onClick={() => setAsking(true)}>
          {texts.projects.delete}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={t.confirmTitle(title)}
          text={texts.projects.deleteText}
          action={texts.projects.delete}
          change={{ ...remove, run: () => remove.mutate({ projectId }) }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

/** Archives a project, or publishes it again. Each undoes the other. */
function useArchiving({ id: projectId, archivedAt }: Project) {
  const offer = useUndo();
  const archive = useChange('archiveProject', changed, () =>
    offer(texts.undo.archived(1), 'unarchiveProject', [{ projectId }]),
  );
  const unarchive = useChange('unarchiveProject', changed, () =>
    offer(texts.undo.unarchived(1), 'archiveProject', [{ projectId }]),
  );
  return archivedAt === null ? archive : unarchive;
}
