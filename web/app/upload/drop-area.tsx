import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useContext, useEffect, useRef, useState } from 'react';
import { AccountContext } from '../api/account.ts';
import { operationQuery } from '../api/queries.ts';
import { texts } from '../texts/en.ts';
import { droppedFiles } from './dropped-files.ts';
import { picked } from './picked.ts';
import { usePublish } from './publish.ts';
import type { UploadTarget } from './upload-state.ts';

const t = texts.publish;

/** Takes files that are dropped anywhere: a new project, or on a project's page its new version. */
export function DropArea() {
  const [isOver, setOver] = useState(false);
  const target = useTarget();
  const publish = usePublish();
  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(event.type === 'dragover');
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = async (event: DragEvent) => {
      const { dataTransfer } = event;
      if (dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(false);
      const picked = await droppedFiles(dataTransfer);
      if (picked.files.length > 0) publish(picked, target());
    };
    const onDrop = (event: DragEvent) => void drop(event);
    addEventListener('dragover', drag);
    addEventListener('dragleave', leave);
    addEventListener('drop', onDrop);
    return () => {
      removeEventListener('dragover', drag);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', onDrop);
    };
  }, [publish, target]);
  usePublishWaiting();
  if (!isOver) return null;
  const text = target().kind === 'version' ? t.dropVersion : t.dropNew;
  return (
    <div className="drop-area">
      <p className="display">{text}</p>
    </div>
  );
}

/** Publishes files that were dropped before the sign-in. */
function usePublishWaiting(): void {
  const publish = usePublish();
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current || sessionStorage.getItem('slipway-waiting') === null) return;
    isBegun.current = true;
    const take = async () => {
      const { takeWaiting } = await import('./waiting-files.ts');
      const files = picked(await takeWaiting());
      if (files.files.length > 0) publish(files, { kind: 'project' });
    };
    void take();
  }, [publish]);
}

/** What dropped files become on the current view. */
function useTarget(): () => UploadTarget {
  const client = useQueryClient();
  const account = useContext(AccountContext);
  const { projectId } = useParams({ strict: false });
  return () => {
    if (projectId === undefined) return { kind: 'project' };
    const key = operationQuery(account, 'getProject', { projectId }).queryKey;
    return { kind: 'version', projectId, projectTitle: client.getQueryData(key)?.title ?? '' };
  };
}
