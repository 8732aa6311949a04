import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { useChange } from '../app/api/account.ts';
import type { Input, OperationName } from '../app/api/contract.ts';
import { texts } from '../app/texts/en.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

/** Asks before something that cannot be undone. With `typed`, somebody must type that text first. */
export function Confirm({ title, text, action, typed, change, onClose }: ConfirmProps) {
  const [entered, setEntered] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.run();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{text}</p>
        {typed !== undefined && (
          <label className="field">
            <span>{typed.label}</span>
            <input
              value={entered}
              onChange={(event) => setEntered(event.target.value)}
              autoComplete="off"
            />
          </label>
        )}
        {change.error && <ErrorNote error={change.error} />}
        <div className="choices">
          <button
            className="button danger"
            disabled={change.isPending || (typed !== undefined && entered !== typed.text)}
          >
            {action}
          </button>
          <Button looks="quiet" onClick={onClose}>
            {texts.states.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  typed?: { label: string; text: string };
  change: { run: () => void; isPending: boolean; error: Error | null };
  onClose: () => void;
}

/** A button that asks before it calls an operation, and then reads the results of those in `changes` again. */
export function ConfirmButton<Name extends OperationName>({
  label,
  operation,
  input,
  changes,
  onDone,
  ...question
}: ConfirmButtonProps<Name>) {
  const [isAsking, setAsking] = useState(false);
  const change = useChange(operation, changes, () => {
    setAsking(false);
    onDone?.();
  });
  return (
    <>
      <Button aria-label={label} onClick={() => setAsking(true)}>
        {question.action}
      </Button>
      {isAsking && (
        <Confirm
          {...question}
          change={{ ...change, run: () => change.mutate(input) }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface ConfirmButtonProps<Name extends OperationName>
  extends Pick<ConfirmProps, 'title' | 'text' | 'action'> {
  /** What a screen reader calls the button; default: `action`. */
  label?: string;
  operation: Name;
  input: Input<Name>;
  changes: readonly OperationName[];
  onDone?: () => void;
}
