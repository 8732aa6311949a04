import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { AccountContext } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import type { Project } from '../../api/contract.ts';
import { readAgain } from '../../api/read-again.ts';
import { useUndo } from '../../shell/use-undo.ts';
import { texts } from '../../texts/en.ts';
import { dismissDone } from '../../upload/upload-store.ts';

const t = texts.projects;

type Action = 'archiveProject' | 'unarchiveProject' | 'deleteProject';

/** What is said after an action, and what takes it back. */
const undoOf = {
  archiveProject: { text: texts.undo.archived, back: 'unarchiveProject' },
  unarchiveProject: { text: texts.undo.unarchived, back: 'archiveProject' },
  deleteProject: { text: texts.undo.deleted, back: 'restoreProject' },
} as const;

/** What can be done with several projects at once. */
export function BulkActions({ projects, isArchived, onDone }: BulkActionsProps) {
  const [isAsking, setAsking] = useState(false);
  const change = useBulkChange(projects, onDone);
  return (
    <div className="bulk" role="group" aria-label={t.selected(projects.length)}>
      <strong>{t.selected(projects.length)}</strong>
      <Button
        disabled={change.isPending}
        onClick={() => change.mutate(isArchived ? 'unarchiveProject' : 'archiveProject')}
      >
        {isArchived ? t.unarchive : t.archive}
      </Button>
      <Button onClick={() => setAsking(true)}>{t.delete}</Button>
      <Button onClick={onDone}>{t.selectNone}</Button>
      {change.error && !isAsking && <ErrorNote error={change.error} />}
      {isAsking && (
        <Confirm
          title={t.deleteTitle(projects.length)}
          text={t.deleteText}
          action={t.delete}
          change={{ ...change, run: () => change.mutate('deleteProject') }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

interface BulkActionsProps {
  projects: readonly Project[];
  isArchived: boolean;
  onDone: () => void;
}

/** One after the other: the first refusal stops, and the list shows what was done. */
export function useBulkChange(projects: readonly Project[], onDone: () => void) {
  const client = useQueryClient();
  const account = useContext(AccountContext);
  const offer = useUndo();
  return useMutation({
    async mutationFn(action: Action) {
      const done: { projectId: string }[] = [];
      try {
        for (const { id: projectId } of projects) {
          await call(action, { projectId });
          done.push({ projectId });
        }
      } finally {
        const { text, back } = undoOf[action];
        for (const { projectId } of done) dismissDone(projectId);
        if (done.length > 0) offer(text(done.length), back, done);
      }
    },
    onSuccess: onDone,
    onSettled: () => readAgain(client, [account]),
  });
}
