import { isLoopback } from '../../../contract/oauth/loopback.ts';
import { scopeTexts } from '../../pages/oauth/scope-texts.ts';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useOperation } from '../api/account.ts';
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
        {({ connections }) => (
          <Rows items={connections} empty={t.appsEmpty}>
            {(connection) => <ConnectionRow key={connection.id} connection={connection} />}
          </Rows>
        )}
      </QueryState>
    </section>
  );
}

function ConnectionRow({ connection }: { connection: Connection }) {
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
      <ConfirmButton
        title={t.disconnectTitle(clientName)}
        text={t.disconnectText}
        action={t.disconnect}
        operation="deleteConnection"
        input={{ connectionId: id }}
        changes={['listConnections', 'listUploadLinks']}
      />
    </li>
  );
}
