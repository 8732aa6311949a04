import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useChange, useOperation } from '../api/account.ts';
import { texts } from '../texts/en.ts';
import { useRolledBack } from '../views/project/use-rolled-back.ts';
import { VersionDiff } from '../views/project/version-diff.tsx';

const t = texts.publish;

const changed = ['listDeployments', 'getProject', 'listProjectFiles'] as const;

/** A draft: what it changes, and the button that makes it live. */
export function DraftCard({ draft: { projectId, version }, dismiss, children }: DraftCardProps) {
  const versions = useOperation('listDeployments', { projectId }).data;
  const live = versions?.find(({ status }) => status === 'active')?.version;
  const onDone = useRolledBack(projectId, live);
  const change = useChange('rollBackProject', changed, () => onDone(version));
  return (
    <div className="card upload" data-draft>
      <h2>{t.draft(version)}</h2>
      <p className="hint">{t.draftHint}</p>
      <VersionDiff projectId={projectId} version={version} />
      {children}
      {change.error && <ErrorNote error={change.error} />}
      <div className="choices">
        <Button
          looks="small"
          disabled={change.isPending}
          onClick={() => change.mutate({ projectId, version })}
        >
          {texts.versions.rollBack}
        </Button>
        <Button onClick={dismiss}>{t.later}</Button>
      </div>
    </div>
  );
}

interface DraftCardProps {
  draft: { projectId: string; version: number };
  dismiss: () => void;
  /** More about the version. */
  children?: React.ReactNode;
}
