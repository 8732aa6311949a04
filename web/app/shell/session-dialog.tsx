import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { announceSession, sessionQuery } from '../api/session.ts';
import { endQuestion } from '../api/session-end.ts';
import { texts } from '../texts/en.ts';
import { CodeForm, sendCode, type SentCode } from './sign-in-view.tsx';
import { useAttempt } from './use-attempt.ts';

const t = texts.signIn;

/**
 * Signs the same account in again, over the page that is open. The page stays as it is, and what could not
 * be read or saved meanwhile is sent again.
 */
export function SessionDialog({ email }: { email: string }) {
  const [sent, setSent] = useState<SentCode>();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { run, error, isPending } = useAttempt(async () => setSent(await sendCode(email)));
  const goOn = async () => {
    await client.fetchQuery({ ...sessionQuery, staleTime: 0 });
    endQuestion(true);
    announceSession();
    await client.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
  };
  const leave = () => {
    endQuestion(false);
    client.setQueryData(sessionQuery.queryKey, null);
    void navigate({ to: '/sign-in', search: { next: location.pathname } });
  };
  return (
    <Dialog title={t.ended} onClose={() => endQuestion(false)}>
      <div className="stack">
        <p>{t.endedText}</p>
        {sent === undefined ? (
          <form className="stack" onSubmit={run}>
            <p>
              <bdi>{t.sendsTo(email)}</bdi>
            </p>
            {error && <ErrorNote error={error} />}
            <div className="choices">
              <button className="button" disabled={isPending}>
                {t.send}
              </button>
              <Button looks="quiet" onClick={leave}>
                {t.other}
              </Button>
            </div>
          </form>
        ) : (
          <CodeForm sent={sent} onEntered={goOn} onOther={leave} />
        )}
      </div>
    </Dialog>
  );
}
