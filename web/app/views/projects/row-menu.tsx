import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { useOperation } from '../../api/account.ts';
import type { Project } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { useBulkChange } from './bulk-actions.tsx';

const { tabs, summary } = texts.project;

const parts = [
  { to: '/projects/$projectId', label: tabs.overview },
  { to: '/projects/$projectId/links', label: tabs.links },
  { to: '/projects/$projectId/files', label: tabs.files },
  { to: '/projects/$projectId/versions', label: tabs.versions },
  { to: '/projects/$projectId/settings', label: tabs.settings },
] as const;

/** What can be done with one project of the list, and how often it was opened. */
export function RowMenu({ project, onClose }: RowMenuProps) {
  const { id: projectId, title, url, archivedAt } = project;
  const [isAsking, setAsking] = useState(false);
  const change = useBulkChange([project], onClose);
  // A plan without statistics has no figures here.
  const { data } = useOperation('getProjectOpens', { projectId });
  if (isAsking) {
    return (
      <Confirm
        title={texts.settings.confirmTitle(title)}
        text={texts.projects.deleteText}
        action={texts.projects.delete}
        change={{ ...change, run: () => change.mutate('deleteProject') }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {data && <p className="muted">{summary(data.opens.total, data.visits.total)}</p>}
      <Parts project={project} />
      {change.error && <ErrorNote error={change.error} />}
      <div className="choices">
        <CopyButton text={url} />
        <Button
          disabled={change.isPending}
          onClick={() => change.mutate(archivedAt === null ? 'archiveProject' : 'unarchiveProject')}
        >
          {archivedAt === null ? texts.projects.archive : texts.projects.unarchive}
        </Button>
        <Button onClick={() => setAsking(true)}>{texts.projects.delete}</Button>
        <Button onClick={onClose}>{texts.states.close}</Button>
      </div>
    </Dialog>
  );
}

function Parts({ project: { id: projectId, url } }: { project: Project }) {
  return (
    <ul className="menu-list">
      <li>
        <a href={url} target="_blank" rel="noreferrer">
          {texts.publish.open}
        </a>
      </li>
      {parts.map(({ to, label }) => (
        <li key={to}>
          <Link to={to} params={{ projectId }}>
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface RowMenuProps {
  project: Project;
  onClose: () => void;
}
