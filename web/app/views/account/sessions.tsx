import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { QueryState } from '../../../ui/query-state.tsx';
import { Time } from '../../../ui/time.tsx';
import { RowText } from '../../../ui/rows.tsx';
import { useChange, useOperation } from '../../api/account.ts';
import type { Output } from '../../api/contract.ts';
import { formatCountry } from '../../texts/format.ts';
import { texts } from '../../texts/en.ts';

const t = texts.account;

type Session = Output<'listSessions'>['sessions'][number];

/** The browsers that are signed in. */
export function Sessions() {
  const query = useOperation('listSessions', {});
  const endOthers = useChange('deleteOtherSessions', ['listSessions', 'listUploadLinks']);
  return (
    <section className="part">
      <h2>{t.sessions}</h2>
      <p className="muted">{t.sessionsIntro}</p>
      <QueryState query={query}>
        {({ sessions }) => (
          <>
            <ul className="plain-rows">
              {sessions.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            {sessions.length > 1 && (
              <Button looks="quiet" onClick={() => endOthers.mutate({})}>
                {t.endOthers}
              </Button>
            )}
            {endOthers.error && <ErrorNote error={endOthers.error} />}
          </>
        )}
      </QueryState>
    </section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { id, browser, os, country, createdAt, lastUsedAt, current } = session;
  const name = [browser, os].filter((part) => part !== null).join(' · ') || t.unknownBrowser;
  return (
    <li className="row">
      <RowText name={name}>
        {country !== null && `${formatCountry(country)} · `}
        <Time at={createdAt} form="day" /> · <Time at={lastUsedAt ?? createdAt} form="ago" />
      </RowText>
      {current ? (
        <span className="badge">{t.thisBrowser}</span>
      ) : (
        <ConfirmButton
          title={t.endTitle}
          text={t.endText}
          action={t.end}
          operation="deleteSession"
          input={{ sessionId: id }}
          changes={['listSessions', 'listUploadLinks']}
        />
      )}
    </li>
  );
}
