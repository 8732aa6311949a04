import { useState } from 'react';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { formatDay, formatRelative } from '../texts/format.ts';
import { texts } from '../texts/en.ts';
import { ConnectedApps } from './connected-apps.tsx';

const t = texts.keys;

type Key = Output<'listKeys'>['keys'][number];

/** API keys and connected apps. */
export function KeysView() {
  const query = useOperation('listKeys', {});
  const [created, setCreated] = useState<Output<'createKey'>>();
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <NewKey onCreated={setCreated} />
      {created && <CreatedKey created={created} />}
      <QueryState query={query}>
        {({ keys }) =>
          keys.length === 0 ? (
            <p className="muted">{t.empty}</p>
          ) : (
            <ul className="plain-rows">
              {keys.map((key) => (
                <KeyRow key={key.id} item={key} />
              ))}
            </ul>
          )
        }
      </QueryState>
      <ConnectedApps />
    </>
  );
}

function NewKey({ onCreated }: { onCreated: (created: Output<'createKey'>) => void }) {
  const create = useChange('createKey', ['listKeys'], onCreated);
  return (
    <InlineForm
      label={t.name}
      action={t.create}
      required
      maxLength={100}
      placeholder={t.namePlaceholder}
      change={create}
      run={(name, empty) => create.mutate({ name }, { onSuccess: empty })}
    />
  );
}

/** The key is here and nowhere else; leaving the view forgets it. */
function CreatedKey({ created }: { created: Output<'createKey'> }) {
  const command = `curl -H 'authorization: Bearer ${created.key}' ${location.origin}/v1/user`;
  return (
    <section className="card stack" role="status">
      <h2>{t.created}</h2>
      <p className="address">
        <code>{created.key}</code>
        <CopyButton text={created.key} />
      </p>
      <p className="hint">{t.tryIt}</p>
      <p className="address">
        <code>{command}</code>
        <CopyButton text={command} />
      </p>
    </section>
  );
}

function KeyRow({ item }: { item: Key }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useChange('deleteKey', ['listKeys'], () => setAsking(false));
  const { id, name, prefix, createdAt, lastUsedAt, expiresAt } = item;
  const used = lastUsedAt === null ? t.neverUsed : t.lastUsed(formatRelative(lastUsedAt));
  return (
    <li className="row">
      <div className="row-main">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="hint">
          <code>{prefix}</code> · {t.createdAt(formatDay(createdAt))} · {used}
          {expiresAt !== null && ` · ${t.expiresAt(formatDay(expiresAt))}`}
        </span>
      </div>
      <button type="button" className="button quiet small" onClick={() => setAsking(true)}>
        {t.delete}
      </button>
      {isAsking && (
        <Confirm
          title={t.deleteTitle(name)}
          text={t.deleteText}
          action={t.delete}
          change={{ ...remove, run: () => remove.mutate({ keyId: id }) }}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
