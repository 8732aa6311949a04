import { useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useChange } from '../api/account.ts';
import { texts } from '../texts/en.ts';
import { VersionDiff } from '../views/project/version-diff.tsx';

const t = texts.publish;

const changed = ['listDeployments', 'getProject', 'listProjectFiles'] as const;

/** A draft: what it changes, and the button that makes it live. Afterwards, the button that undoes this. */
export function DraftCard({ draft, dismiss, children }: DraftCardProps) {
  const { projectId, version, url } = draft;
  const [before, setBefore] = useState<number | null>(null);
  const [state, setState] = useState<'waiting' | 'live' | 'undone'>('waiting');
  const change = useChange('rollBackProject', changed, (_, input) => {
    setState(input.version === version ? 'live' : 'undone');
    void replacePicture(input);
  });
  const goTo = (to: number) =>
    change.mutate({ projectId, version: to, ...(to !== version && { expectedVersion: version }) });
  return (
    <div className="card upload" data-draft={state === 'waiting'}>
      <h2>{state === 'live' ? t.newVersion : t.draft(version)}</h2>
      {state === 'waiting' ? (
        <>
          <p className="hint">{t.draftHint}</p>
          <VersionDiff projectId={projectId} version={version} onCompared={setBefore} />
        </>
      ) : (
        <Address url={url} />
      )}
      {children}
      {state === 'undone' && <p role="status">{t.undone}</p>}
      {change.error && <ErrorNote error={change.error} />}
      <div className="choices">
        {state !== 'live' && (
          <Decision
            label={texts.versions.rollBack}
            isPending={change.isPending}
            onClick={() => goTo(version)}
          />
        )}
        {state === 'live' && before !== null && (
          <Decision
            quiet
            label={t.undo}
            isPending={change.isPending}
            onClick={() => goTo(before)}
          />
        )}
        <Decision
          quiet
          label={state === 'waiting' ? t.later : t.dismiss}
          isPending={false}
          onClick={dismiss}
        />
      </div>
    </div>
  );
}

async function replacePicture({ projectId, version }: { projectId: string; version: number }) {
  const { replaceThumbnail } = await import('./draw-thumbnail.ts');
  replaceThumbnail(projectId, version);
}

function Address({ url }: { url: string }) {
  return (
    <p className="address">
      <a href={url} target="_blank" rel="noreferrer">
        {url.replace(/^https?:\/\//, '')}
      </a>
    </p>
  );
}

function Decision({ label, quiet, isPending, onClick }: DecisionProps) {
  return (
    <button
      type="button"
      className={quiet === true ? 'button quiet small' : 'button small'}
      disabled={isPending}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

interface DecisionProps {
  label: string;
  quiet?: boolean;
  isPending: boolean;
  onClick: () => void;
}

interface DraftCardProps {
  draft: { projectId: string; version: number; url: string };
  dismiss: () => void;
  /** More about the version. */
  children?: React.ReactNode;
}
