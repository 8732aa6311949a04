import { useUndo } from '../../shell/use-undo.ts';
import { texts } from '../../texts/en.ts';
import { replaceThumbnail } from '../../upload/draw-thumbnail.ts';

/** For when another version became live: says so, and offers to make the one before it live again. */
export function useRolledBack(projectId: string, live: number | undefined) {
  const offer = useUndo();
  return (version: number) => {
    replaceThumbnail(projectId, version);
    if (live === undefined) return;
    offer(texts.undo.rolledBack(version), 'rollBackProject', [
      { projectId, version: live, expectedVersion: version },
    ]);
  };
}
