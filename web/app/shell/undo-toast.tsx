import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { AccountContext } from '../api/account.ts';
import { readAgain } from '../api/read-again.ts';
import { texts } from '../texts/en.ts';
import { endUndo, undoStore } from './undo-store.ts';

/** How long an offer stays, unless somebody is at it. */
const shownMs = 10_000;

/** Says what was just done, with a button that takes it back. It goes by itself, but not from under somebody's focus or mouse. */
export function UndoToast() {
  const offer = useSyncExternalStore(undoStore.subscribe, undoStore.snapshot);
  const account = useContext(AccountContext);
  return (
    <div className="undo" aria-live="polite">
      {offer?.account === account && <Offer key={offer.number} offer={offer} />}
    </div>
  );
}

function Offer({ offer }: { offer: NonNullable<ReturnType<typeof undoStore.snapshot>> }) {
  const client = useQueryClient();
  const close = () => {
    endUndo(offer);
    // The button that had the focus is gone.
    document.getElementById('view')?.focus();
  };
  const undo = useMutation({
    mutationFn: () => offer.run(),
    onSuccess: close,
    onSettled: () => readAgain(client, [offer.account]),
  });
  const card = useRef<HTMLDivElement>(null);
  const isKept = undo.isPending || undo.isError;
  useEffect(() => {
    if (isKept) return undefined;
    const timer = setInterval(() => {
      const isUsed = card.current?.matches(':hover, :focus-within') === true;
      if (!isUsed && !document.hidden) endUndo(offer);
    }, shownMs);
    return () => clearInterval(timer);
  }, [isKept, offer]);
  return (
    <div className="card stack" ref={card}>
      <p>
        <bdi>{offer.text}</bdi>
      </p>
      {undo.error && <ErrorNote error={undo.error} />}
      <div className="choices">
        <Button looks="small" disabled={undo.isPending} onClick={() => undo.mutate()}>
          {texts.undo.undo}
        </Button>
        <Button onClick={close}>{texts.states.close}</Button>
      </div>
    </div>
  );
}
