import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { maxZipBytes } from '../../../../contract/limits.ts';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { useOperation } from '../../api/account.ts';
import type { Deployment, Project } from '../../api/contract.ts';
import { formatBytes } from '../../texts/format.ts';
import { Paid, usePlan } from '../../shell/paid.tsx';
import { texts } from '../../texts/en.ts';
import { FileButtons } from '../../upload/file-buttons.tsx';
import { PreviewList } from './preview-list.tsx';
import { useProject } from './use-project.ts';
import { useRolledBack } from './use-rolled-back.ts';
import { DownloadButton } from './download-button.tsx';
import { IgnoredLines } from './ignored-lines.tsx';
import { PreviewLink, usePreviewLink } from './preview-link.tsx';
import { VersionDiff } from './version-diff.tsx';

const t = texts.versions;

/** The kept versions of a project, and where files for a new one are chosen. */
export function VersionsView() {
  const { projectId, project } = useProject();
  const plan = usePlan();
  const query = useOperation('listDeployments', { projectId });
  if (plan?.tier === 'free') {
    return (
      <div className="stack">
        <Paid what={t.paid} />
        <Feed project={project} />
      </div>
    );
  }
  return (
    <div className="stack">
      <p className="muted">{t.drop}</p>
      <FileButtons
        quiet
        target={{ kind: 'version', projectId, projectTitle: project?.title ?? '' }}
      />
      <QueryState query={query}>
        {(versions) => (
          <>
            <ul className="plain-rows">
              {versions.map((version) => (
                <VersionRow
                  key={version.version}
                  projectId={projectId}
                  deployment={version}
                  live={versions.find(({ status }) => status === 'active')?.version}
                />
              ))}
            </ul>
            <PreviewList projectId={projectId} />
            <Feed project={project} />
          </>
        )}
      </QueryState>
    </div>
  );
}

/** A feed reader proves no address and knows no password. */
function Feed({ project }: { project: Project | undefined }) {
  if (project?.access !== 'public') return null;
  return (
    <p className="muted">
      <a href={`${project.url}/_slipway/versions.atom`}>{t.feed}</a>
    </p>
  );
}

function VersionRow({
  projectId,
  deployment,
  live,
}: {
  projectId: string;
  deployment: Deployment;
  live: number | undefined;
}) {
  const [isComparing, setComparing] = useState(false);
  const preview = usePreviewLink(projectId, deployment.version);
  const { version, status, sizeBytes, warnings } = deployment;
  const isDraft = live !== undefined && version > live;
  return (
    <li className="row wrap" data-draft={isDraft}>
      <Facts deployment={deployment} isDraft={isDraft} />
      <Button aria-expanded={isComparing} onClick={() => setComparing(!isComparing)}>
        {t.compare}
      </Button>
      {preview.canOpen && (
        <Button disabled={preview.isPending} onClick={() => preview.open()}>
          {t.preview}
        </Button>
      )}
      {sizeBytes !== null && sizeBytes < maxZipBytes && (
        <DownloadButton
          projectId={projectId}
          version={version}
          label={t.download}
          of={t.downloadOf(version)}
        />
      )}
      {status === 'ready' && <RollBack projectId={projectId} version={version} live={live} />}
      {warnings !== undefined && <IgnoredLines warnings={warnings} />}
      <PreviewLink preview={preview} />
      {isComparing && <VersionDiff projectId={projectId} version={version} />}
    </li>
  );
}

/** Its number, when it was published, and by what. */
function Facts({ deployment, isDraft }: { deployment: Deployment; isDraft: boolean }) {
  const { version, status, createdAt, sizeBytes, publishedBy, note } = deployment;
  return (
    <div className="row-main">
      <strong>
        {t.version(version)} {status === 'active' && <span className="badge">{t.live}</span>}
        {isDraft && <span className="badge">{texts.projects.protections.draft}</span>}
      </strong>
      {note !== undefined && <bdi>{note}</bdi>}
      <span className="hint">
        <Time at={createdAt} />
        {sizeBytes !== null && ` · ${formatBytes(sizeBytes)}`}
      </span>
      <Publisher publishedBy={publishedBy} />
    </div>
  );
}

/** What published a version, under the name that it had then. */
function Publisher({ publishedBy: { kind, name } }: Pick<Deployment, 'publishedBy'>) {
  const isNamed = kind !== 'temporary';
  return (
    <span className="hint">
      {t.publishedBy[kind]}
      {isNamed && (name === null ? ` ${t.nameless}` : ' ')}
      {isNamed && name !== null && <bdi>{name}</bdi>}
    </span>
  );
}

function RollBack({
  projectId,
  version,
  live,
}: {
  projectId: string;
  version: number;
  live: number | undefined;
}) {
  const onDone = useRolledBack(projectId, live);
  return (
    <ConfirmButton
      title={t.rollBackTitle(version)}
      text={t.rollBackText}
      action={t.rollBack}
      operation="rollBackProject"
      input={{ projectId, version, expectedVersion: live }}
      changes={['listDeployments', 'getProject', 'diffVersion']}
      onDone={() => onDone(version)}
    />
  );
}
