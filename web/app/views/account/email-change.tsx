import { useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { AccountContext } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import type { Output } from '../../api/contract.ts';
import { sessionQuery } from '../../api/session.ts';
import { useAttempt } from '../../shell/use-attempt.ts';
import { texts } from '../../texts/en.ts';

const t = texts.account.email;

/** Changes the e-mail address, with a code from the old mailbox and one from the new. */
export function EmailChange() {
  const email = useContext(AccountContext);
  const [begun, setBegun] = useState<Output<'requestEmailChange'>>();
  return (
    <section className="part">
      <h2>{t.title}</h2>
      <p className="muted">
        <bdi>{email}</bdi> · {t.intro}
      </p>
      {begun === undefined ? (
        <NewAddress onBegun={setBegun} />
      ) : (
        <Codes begun={begun} onEnd={() => setBegun(undefined)} />
      )}
    </section>
  );
}

function NewAddress({ onBegun }: { onBegun: (begun: Output<'requestEmailChange'>) => void }) {
  const [email, setEmail] = useState('');
  const { run, error, isPending } = useAttempt(async () => {
    onBegun(await call('requestEmailChange', { email }));
  });
  return (
    <form className="stack narrow" onSubmit={run}>
      <label className="field">
        <span>{t.address}</span>
        <input
          type="email"
          required
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </label>
      {error && <ErrorNote error={error} />}
      <div className="choices">
        <button className="button quiet" disabled={isPending}>
          {t.send}
        </button>
      </div>
    </form>
  );
}

interface CodesProps {
  begun: Output<'requestEmailChange'>;
  onEnd: () => void;
}

function Codes({ begun, onEnd }: CodesProps) {
  const [currentCode, setCurrentCode] = useState('');
  const [newCode, setNewCode] = useState('');
  const client = useQueryClient();
  const { run, error, isPending } = useAttempt(async () => {
    await call('verifyEmailChange', { currentCode, newCode });
    // What was read is kept under the address; the session has another one now.
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  });
  return (
    <form className="stack narrow" onSubmit={run}>
      <p role="status">{t.sent}</p>
      <CodeField email={begun.currentEmail} value={currentCode} onChange={setCurrentCode} isFirst />
      <CodeField email={begun.newEmail} value={newCode} onChange={setNewCode} />
      {error && <ErrorNote error={error} />}
      <div className="choices">
        <button className="button" disabled={isPending}>
          {t.change}
        </button>
        <button type="button" className="button quiet" onClick={onEnd}>
          {texts.states.cancel}
        </button>
      </div>
    </form>
  );
}

function CodeField({ email, value, onChange, isFirst }: CodeFieldProps) {
  return (
    <label className="field">
      <span>
        <bdi>{t.codeOf(email)}</bdi>
      </span>
      <input
        className="digits"
        inputMode="numeric"
        autoComplete="off"
        pattern="[0-9]{6}"
        required
        autoFocus={isFirst === true}
        value={value}
        onChange={(event) => onChange(event.target.value.replace(/\D/g, '').slice(0, 6))}
      />
    </label>
  );
}

interface CodeFieldProps {
  email: string;
  value: string;
  onChange: (value: string) => void;
  isFirst?: boolean;
}
