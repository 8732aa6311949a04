import { type ReactNode, useEffect, useId, useRef } from 'react';

/**
 * A modal dialog of the browser: it keeps the focus inside, closes with Escape, and returns the focus to
 * where it was.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}
