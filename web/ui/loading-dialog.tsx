import { Dialog } from './dialog.tsx';
import { Skeleton } from './query-state.tsx';

/** A dialog whose code is still on its way. It can be closed already. */
export function LoadingDialog({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Skeleton lines={4} />
    </Dialog>
  );
}
