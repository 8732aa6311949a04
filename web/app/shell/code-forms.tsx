import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { useAttempt } from './use-attempt.ts';

/** Asks for an e-mail address, to which a code is sent. */
export function EmailForm({ label, action, send, initial = '', quiet = false }: EmailFormProps) {
  const [email, setEmail] = useState(initial);
  const { run, error, isPending } = useAttempt(() => send(email));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!quiet) field.current?.focus();
  }, [quiet]);
  return (
    <form className={quiet ? 'stack narrow' : 'stack'} onSubmit={run}>
      <label className="field">
        <span>{label}</span>
        <input
          ref={field}
          type="email"
          name="email"
          required
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </label>
      {error && <ErrorNote error={error} />}
      <div className={quiet ? 'choices' : 'stack'}>
        <button className={quiet ? 'button quiet' : 'button'} disabled={isPending}>
          {action}
        </button>
      </div>
    </form>
  );
}

interface EmailFormProps {
  label: string;
  /** What the button says. */
  action: string;
  send: (email: string) => Promise<void>;
  /** What the field has at first. */
  initial?: string | undefined;
  /** For a form that stands beside other forms. */
  quiet?: boolean;
}

/**
 * The field for a code that was mailed: six digits, whatever else is pasted with them. The last digit of a form's only
 * code sends the form.
 */
export function CodeField({
  label,
  name = 'code',
  value,
  onChange,
  autoFocus,
  fromMail,
}: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fromMail === true && value.length === 6) field.current?.form?.requestSubmit();
  }, [fromMail, value]);
  return (
    <label className="field">
      <span>{label}</span>
      <input
        ref={field}
        className="digits"
        name={name}
        inputMode="numeric"
        autoComplete={fromMail === true ? 'one-time-code' : 'off'}
        pattern="[0-9]{6}"
        required
        autoFocus={autoFocus === true}
        value={value}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, 6))}
      />
    </label>
  );
}

interface CodeFieldProps {
  label: ReactNode;
  /** The field of the contract that it fills in. */
  name?: string;
  value: string;
  onChange: (value: string) => void;
  autoFocus?: boolean;
  /** Whether the browser may fill it in, and the last digit sends the form; not where there are two codes. */
  fromMail?: boolean;
}
