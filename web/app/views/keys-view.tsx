import { useState } from 'react';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows, RowText } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { daySeconds } from '../../../contract/limits.ts';
import type { OAuthScope } from '../../../contract/oauth/oauth.ts';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { texts } from '../texts/en.ts';
import { KeyProjects } from './key-projects.tsx';
import { TrustedPublishers } from './trusted-publishers.tsx';

const t = texts.keys;

type Key = Output<'listKeys'>['keys'][number];

/** What a key may do, as a person chooses it. */
const reaches = ['everything', 'publish', 'read'] as const;
type Reach = (typeof reaches)[number];

const permissionsOf: Record<Reach, OAuthScope[] | undefined> = {
  everything: undefined,
  publish: ['projects:read', 'projects:write'],
  read: ['projects:read', 'account:read'],
};

/** The choice that comes closest to a key's permissions, never one that promises less than it may do. */
function reachOf({ permissions }: Pick<Key, 'permissions'>): Reach {
  if (!permissions.includes('projects:write')) return 'read';
  return permissions.includes('account:read') ? 'everything' : 'publish';
}

/** API keys and trusted publishers. */
export function KeysView() {
  const query = useOperation('listKeys', {});
  const [created, setCreated] = useState<Output<'createKey'>>();
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <NewKey onCreated={setCreated} />
      {created && <CreatedKey created={created} />}
      <QueryState query={query}>
        {({ keys }) => (
          <Rows items={keys} empty={t.empty}>
            {(key) => <KeyRow key={key.id} item={key} />}
          </Rows>
        )}
      </QueryState>
      <TrustedPublishers />
    </>
  );
}

function NewKey({ onCreated }: { onCreated: (created: Output<'createKey'>) => void }) {
  const create = useChange('createKey', ['listKeys'], onCreated);
  const [reach, setReach] = useState<Reach>('everything');
  const [days, setDays] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>();
  return (
    <InlineForm
      label={t.name}
      name="name"
      action={t.create}
      required
      maxLength={100}
      placeholder={t.namePlaceholder}
      change={create}
      run={(name, onSuccess) => {
        const expiresAt = days === '' ? null : daysFromNow(Number(days));
        const projectIds = chosen === undefined ? null : [...chosen];
        const permissions = permissionsOf[reach];
        create.mutate({ name, permissions, projectIds, expiresAt }, { onSuccess });
      }}
    >
      <label className="field">
        <span>{t.reach}</span>
        <select
          value={reach}
          onChange={({ target }) => setReach(reaches.find((one) => one === target.value) ?? reach)}
        >
          {reaches.map((one) => (
            <option key={one} value={one}>
              {t.reaches[one]}
            </option>
          ))}
        </select>
      </label>
      <KeyProjects chosen={chosen} onChange={setChosen} />
      <label className="field">
        <span>{t.ends}</span>
        <select value={days} onChange={({ target }) => setDays(target.value)}>
          <option value="">{t.never}</option>
          {[7, 30, 90, 365].map((count) => (
            <option key={count} value={count}>
              {t.inDays(count)}
            </option>
          ))}
        </select>
      </label>
    </InlineForm>
  );
}

const daysFromNow = (days: number) => new Date(Date.now() + days * daySeconds * 1000).toISOString();

/** The key is here and nowhere else; leaving the view forgets it. */
function CreatedKey({ created }: { created: Output<'createKey'> }) {
  const command = `curl -H 'authorization: Bearer ${created.key}' ${location.origin}/v1/projects`;
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

function endOf({ kind }: Key, expiresAt: string) {
  if (Date.parse(expiresAt) <= Date.now()) return t.expired;
  return kind === 'sign-in' ? t.expiresUnused : t.expiresAt;
}

function KeyRow({ item }: { item: Key }) {
  const { id, name, prefix, projectIds, createdAt, lastUsedAt, expiresAt } = item;
  return (
    <li className="row">
      <RowText name={name}>
        <code>{prefix}</code> · {t.reaches[reachOf(item)]} ·{' '}
        {projectIds !== null && `${t.ofProjects(projectIds.length)} · `}
        <Time at={createdAt} form="day" text={t.createdAt} /> ·{' '}
        {lastUsedAt === null ? t.neverUsed : <Time at={lastUsedAt} form="ago" text={t.lastUsed} />}
        {expiresAt !== null && (
          <>
            {' · '}
            <Time at={expiresAt} form="day" text={endOf(item, expiresAt)} />
          </>
        )}
      </RowText>
      <ConfirmButton
        title={t.deleteTitle(name)}
        text={t.deleteText}
        action={t.delete}
        operation="deleteKey"
        input={{ keyId: id }}
        changes={['listKeys']}
      />
    </li>
  );
}
