import { type ComponentProps, type FormEvent, useState } from 'react';
import { ErrorNote } from './error-note.tsx';

/**
 * A field, what belongs to it (`children`) and its button in one line. `run` gets the value, and a function that
 * empties the field.
 */
export function InlineForm({
  label,
  action,
  initial = '',
  change,
  run,
  children,
  ...input
}: InlineFormProps) {
  const [value, setValue] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run(value, () => setValue(''));
  };
  return (
    <form className="inline-form" onSubmit={submit}>
      <label className="field grow">
        <span>{label}</span>
        <input {...input} value={value} onChange={(event) => setValue(event.target.value)} />
      </label>
      {children}
      <button className="button" disabled={change?.isPending === true}>
        {action}
      </button>
      {change?.error && <ErrorNote error={change.error} />}
    </form>
  );
}

interface InlineFormProps
  extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'action' | 'type'> {
  label: string;
  /** What the field has at first. */
  initial?: string;
  /** What the button says. */
  action: string;
  /** Absent where `run` only shows something. */
  change?: { isPending: boolean; error: Error | null };
  run: (value: string, empty: () => void) => void;
}
