import { useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { AccountContext } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import type { Output } from '../../api/contract.ts';
import { sessionQuery } from '../../api/session.ts';
import { CodeField, EmailForm } from '../../shell/code-forms.tsx';
import { useAttempt } from '../../shell/use-attempt.ts';
import { texts } from '../../texts/en.ts';

const t = texts.account.email;

/** Changes the e-mail address, with a code from the old mailbox and one from the new. */
export function EmailChange() {
  const email = useContext(AccountContext);
  const [begun, setBegun] = useState<Output<'requestEmailChange'>>();
  const begin = async (address: string) => {
    setBegun(await call('requestEmailChange', { email: address }));
  };
  return (
    <section className="part">
      <h2>{t.title}</h2>
      <p className="muted">
        <bdi>{email}</bdi> · {t.intro}
      </p>
      {begun === undefined ? (
        <EmailForm quiet label={t.address} action={t.send} send={begin} />
      ) : (
        <Codes begun={begun} onEnd={() => setBegun(undefined)} />
      )}
    </section>
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
    // Results of queries are stored under the account's address, which has changed.
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  });
  return (
    <form className="stack narrow" onSubmit={run}>
      <p role="status">{t.sent}</p>
      <CodeField
        label={<bdi>{t.codeOf(begun.currentEmail)}</bdi>}
        value={currentCode}
        onChange={setCurrentCode}
        name="currentCode"
        autoFocus
      />
      <CodeField
        label={<bdi>{t.codeOf(begun.newEmail)}</bdi>}
        value={newCode}
        onChange={setNewCode}
        name="newCode"
      />
      {error && <ErrorNote error={error} />}
      <div className="choices">
        <button className="button" disabled={isPending}>
          {t.change}
        </button>
        <Button looks="quiet" onClick={onEnd}>
          {texts.states.cancel}
        </Button>
      </div>
    </form>
  );
}
