import { useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { formatBytes } from '../../texts/format.ts';
import { usePlan } from '../../shell/paid.tsx';
import { texts } from '../../texts/en.ts';
import { usePublish } from '../../upload/publish.ts';
import { DownloadButton } from './download-button.tsx';
import type { ProjectFile } from './files-view.tsx';
import { useProject } from './use-project.ts';

const t = texts.files;

/** One file, with what can be done with it. */
export function FileRow({ projectId, file, version }: FileRowProps) {
  const plan = usePlan();
  const { path, size, url } = file;
  return (
    <div className="row wrap">
      <div className="row-main">
        <a className="row-title" href={url ?? undefined} target="_blank" rel="noreferrer">
          <bdi>{path}</bdi>
        </a>
        <span className="hint">{formatBytes(size)}</span>
      </div>
      <DownloadButton
        projectId={projectId}
        path={path}
        label={t.download}
        of={t.downloadOf(path)}
      />
      <fieldset className="locked" disabled={plan?.tier === 'free'}>
        <div className="choices">
          <Replace projectId={projectId} path={path} />
          <Remove projectId={projectId} path={path} version={version} />
        </div>
      </fieldset>
    </div>
  );
}

interface FileRowProps {
  projectId: string;
  file: ProjectFile;
  /** The live version that the list was made from. */
  version: number;
}

/** Takes another file under the same path. */
function Replace({ projectId, path }: { projectId: string; path: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { project } = useProject();
  const publish = usePublish();
  const replace = ([file]: Iterable<File>) => {
    if (file === undefined) return;
    const target = { kind: 'files', projectId, projectTitle: project?.title ?? '' } as const;
    publish({ name: path, files: [{ path, file }], leftOut: { files: [], paths: [] } }, target);
  };
  return (
    <>
      <Button aria-label={t.replaceOf(path)} onClick={() => input.current?.click()}>
        {t.replace}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.replaceOf(path)}
        onChange={({ target }) => {
          replace(target.files ?? []);
          target.value = '';
        }}
      />
    </>
  );
}

function Remove({
  projectId,
  path,
  version,
}: {
  projectId: string;
  path: string;
  version: number;
}) {
  return (
    <ConfirmButton
      title={t.removeTitle(path)}
      text={t.removeText}
      action={t.remove}
      label={t.removeOf(path)}
      operation="changeProjectFiles"
      input={{ projectId, delete: [path], expectedVersion: version }}
      changes={['listProjectFiles', 'getProject', 'listDeployments']}
    />
  );
}
