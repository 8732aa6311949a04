import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Mark, Slipway } from '../../ui/mark.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { configQuery, forgetAccount, sessionQuery } from '../api/session.ts';
import { texts } from '../texts/en.ts';
import { formatDay } from '../texts/format.ts';
import { CodeField, EmailForm } from './code-forms.tsx';
import { useAttempt } from './use-attempt.ts';

const t = texts.signIn;

/** The code was sent; the token identifies this browser when it verifies the code. */
export interface SentCode {
  email: string;
  attemptToken: string | undefined;
}

/** Mails a code that signs in. */
export async function sendCode(email: string): Promise<SentCode> {
  const { data } = await call('requestSignInCode', { email });
  return { email, attemptToken: data.attemptToken };
}

/** Signs in with a mailed code. */
export function SignInView() {
  const [sent, setSent] = useState<SentCode>();
  const { data: config } = useQuery(configQuery);
  const { email: initial } = useSearch({ from: '/sign-in' });
  const until = useRouterState({ select: ({ location }) => location.state.until });
  const intro = t.intros[config?.signUpPolicy ?? 'open'];
  const enter = useEntrance();
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
          <PageHead
            title={until === undefined ? t.title : t.closed}
            intro={until === undefined ? intro : t.closedUntil(formatDay(until))}
          />
          {sent === undefined ? (
            <EmailForm
              label={t.email}
              initial={initial}
              action={t.send}
              send={async (email) => setSent(await sendCode(email))}
            />
          ) : (
            <CodeForm sent={sent} onEntered={enter} onOther={() => setSent(undefined)} />
          )}
        </div>
        <Slipway />
      </main>
    </div>
  );
}

/** Asks for the code that was mailed, and signs this browser in. */
export function CodeForm({ sent, onEntered, onOther }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [closedUntil, setClosedUntil] = useState<string>();
  const { run, error, isPending } = useAttempt(async () => {
    const { email, attemptToken } = sent;
    const restore = closedUntil === undefined ? { restore: false } : {};
    try {
      await call('openWebSession', { email, code, attemptToken, ...restore });
    } catch (error) {
      if (!(error instanceof ApiError) || error.restorableUntil === undefined) throw error;
      return setClosedUntil(error.restorableUntil);
    }
    await onEntered();
  });
  const resend = useAttempt(async () => {
    await call('requestSignInCode', { email: sent.email, resend: true });
  });
  if (closedUntil !== undefined) {
    return (
      <form className="stack" onSubmit={run}>
        <RestoreQuestion {...{ closedUntil, error, isPending }} onRefused={onOther} />
      </form>
    );
  }
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
        <Button looks="quiet" onClick={(event: FormEvent) => resend.run(event)}>
          {t.resend}
        </Button>
        <Button looks="quiet" onClick={onOther}>
          {t.other}
        </Button>
      </div>
    </form>
  );
}

/** Asks whether an account that its owner deleted comes back. */
function RestoreQuestion({ closedUntil, error, isPending, onRefused }: RestoreQuestionProps) {
  return (
    <>
      <h2>{t.restoreTitle}</h2>
      <p role="status">{t.restoreText(formatDay(closedUntil))}</p>
      {error && <ErrorNote error={error} />}
      <div className="choices">
        <button className="button" disabled={isPending}>
          {t.restore}
        </button>
        <Button looks="quiet" onClick={onRefused}>
          {t.stayDeleted}
        </Button>
      </div>
    </>
  );
}

interface RestoreQuestionProps {
  closedUntil: string;
  error: Error | undefined;
  isPending: boolean;
  onRefused: () => void;
}

interface CodeFormProps {
  sent: SentCode;
  /** Goes on, signed in. */
  onEntered: () => Promise<void>;
  onOther: () => void;
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
