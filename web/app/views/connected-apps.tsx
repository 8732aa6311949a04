import { useState } from 'react';
import { isLoopback } from '../../../contract/oauth/loopback.ts';
import { scopeTexts } from '../../pages/oauth/scope-texts.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { texts } from '../texts/en.ts';

const t = texts.keys;

type Connection = Output<'listConnections'>['connections'][number];

/** The apps that may act for the account. */
export function ConnectedApps() {
  const query = useOperation('listConnections', {});
  return (
    <section className="part" id="access">
      <h2>{t.apps}</h2>
      <p className="muted">{t.appsIntro}</p>
      <QueryState query={query} lines={2}>
        {({ connections }) =>
          connections.length === 0 ? (
            <p className="muted">{t.appsEmpty}</p>
          ) : (
            <ul className="plain-rows">
              {connections.map((connection) => (
                <ConnectionRow key={connection.id} connection={connection} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}

function ConnectionRow({ connection }: { connection: Connection }) {
  const [isAsking, setAsking] = useState(false);
  const end = useChange('deleteConnection', ['listConnections', 'listUploadLinks'], () =>
    setAsking(false),
  );
  const { id, clientName, redirectHost, scopes, createdAt, lastUsedAt } = connection;
  return (
    <li className="row">
      <div className="row-main">
        <strong>
          <bdi>{clientName}</bdi>
        </strong>
        <span className="hint">
          {t.appMay(scopes.map((scope) => scopeTexts[scope].title.toLowerCase()).join('; '))}
        </span>
        <span className="hint">
          <bdi>{isLoopback(redirectHost) ? t.onThatComputer : redirectHost}</bdi> ·{' '}
          <Time at={createdAt} form="day" text={t.appSince} /> ·{' '}
          {lastUsedAt === null ? (
            t.neverUsed
          ) : (
            <Time at={lastUsedAt} form="ago" text={t.lastUsed} />
          )}
        </span>
      </div>
      <button type="button" className="button quiet small" onClick={() => setAsking(true)}>
        {t.disconnect}
      </button>
      {isAsking && (
        <Confirm
          title={t.disconnectTitle(clientName)}
          text={t.disconnectText}
          action={t.disconnect}
          change={{ ...end, run: () => end.mutate({ connectionId: id }) }}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
