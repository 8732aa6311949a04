import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Mark, Slipway } from '../../ui/mark.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { call } from '../api/call.ts';
import { configQuery, forgetAccount, sessionQuery } from '../api/session.ts';
import { texts } from '../texts/en.ts';
import { CodeField, EmailForm } from './code-forms.tsx';
import { useAttempt } from './use-attempt.ts';

const t = texts.signIn;

/** The code was sent; the token identifies this browser when it verifies the code. */
interface SentCode {
  email: string;
  attemptToken: string | undefined;
}

/** Signs in with a mailed code. */
export function SignInView() {
  const [sent, setSent] = useState<SentCode>();
  const { data: config } = useQuery(configQuery);
  const sendCode = async (email: string) => {
    const { data } = await call('requestSignInCode', { email });
    setSent({ email, attemptToken: data.attemptToken });
  };
  return (
    <div className="entrance">
      <header className="top">
        <a className="name display" href="/">
          <Mark />
          <span>{config?.brand}</span>
        </a>
      </header>
      <main className="zone claim card">
        <div className="panel">
          <PageHead title={t.title} intro={t.intro} />
          {sent === undefined ? (
            <EmailForm label={t.email} action={t.send} send={sendCode} />
          ) : (
            <CodeForm sent={sent} onOther={() => setSent(undefined)} />
          )}
        </div>
        <Slipway />
      </main>
    </div>
  );
}

function CodeForm({ sent, onOther }: { sent: SentCode; onOther: () => void }) {
  const [code, setCode] = useState('');
  const enter = useEntrance();
  const { run, error, isPending } = useAttempt(async () => {
    const { email, attemptToken } = sent;
    await call('openWebSession', { email, code, attemptToken });
    await enter();
  });
  const resend = useAttempt(async () => {
    await call('requestSignInCode', { email: sent.email, resend: true });
  });
  return (
    <form className="stack" onSubmit={run}>
      <p role="status">{resend.isDone ? t.resent : t.sentTo(sent.email)}</p>
      <CodeField label={t.code} value={code} onChange={setCode} autoFocus fromMail />
      {error && <ErrorNote error={error} />}
      {resend.error && <ErrorNote error={resend.error} />}
      <div className="choices">
        <button className="button" disabled={isPending}>
          {t.verify}
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={(event: FormEvent) => resend.run(event)}
        >
          {t.resend}
        </button>
        <button type="button" className="button quiet" onClick={onOther}>
          {t.other}
        </button>
      </div>
    </form>
  );
}

/** Opens the app for the account that has just signed in, where the browser wanted to go. */
function useEntrance(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next } = useSearch({ from: '/sign-in' });
  return async () => {
    const config = client.getQueryData(configQuery.queryKey);
    forgetAccount(client);
    if (config !== undefined) client.setQueryData(configQuery.queryKey, config);
    await client.fetchQuery(sessionQuery);
    await navigate({ href: next ?? '/dashboard', replace: true });
  };
}
