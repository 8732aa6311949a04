import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange, useOperation } from '../api/account.ts';
import { formatInstant } from '../texts/format.ts';
import { AskForm } from './ask-form.tsx';
import { SenderList } from './sender-list.tsx';
import type { Output } from '../api/contract.ts';
import { uploadLinkTexts as t } from '../texts/en-links.ts';

type UploadLink = Output<'listUploadLinks'>['uploadLinks'][number];

/** Links with which others publish once for the account. */
export function UploadLinksView() {
  const query = useOperation('listUploadLinks', {});
  const [created, setCreated] = useState<Output<'createUploadLink'>>();
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <NewLink onCreated={setCreated} />
      <AskForm onCreated={setCreated} />
      {created && (
        <section className="card stack" role="status">
          <h2>{t.created}</h2>
          <p className="address">
            <a href={created.pageUrl}>{created.pageUrl}</a>
            <CopyButton text={created.pageUrl} />
          </p>
          <p className="hint">
            <Time at={created.expiresAt} text={t.expires} />
          </p>
          <details>
            <summary>{t.forPrograms}</summary>
            <p className="address">
              <code>{created.curl}</code>
              <CopyButton text={created.curl} />
            </p>
          </details>
        </section>
      )}
      <QueryState query={query}>
        {({ uploadLinks }) => (
          <Rows items={uploadLinks} empty={t.empty}>
            {(link) => <LinkRow key={link.id} link={link} />}
          </Rows>
        )}
      </QueryState>
    </>
  );
}

function NewLink({ onCreated }: { onCreated: (created: Output<'createUploadLink'>) => void }) {
  const create = useChange('createUploadLink', ['listUploadLinks'], onCreated);
  return (
    <InlineForm
      label={t.titleField}
      action={t.create}
      maxLength={255}
      change={create}
      run={(title, empty) =>
        create.mutate({ notify: true, ...(title.trim() !== '' && { title }) }, { onSuccess: empty })
      }
    />
  );
}

function LinkRow({ link }: { link: UploadLink }) {
  const [isOpened, setOpened] = useState(false);
  const { id, title, expiresAt, request } = link;
  return (
    <li className="row wrap">
      <LinkFacts link={link} />
      {request && (
        <Button aria-expanded={isOpened} onClick={() => setOpened(!isOpened)}>
          {t.senders}
        </Button>
      )}
      {request?.isOpen === true && (
        <CopyButton
          text={t.reminder(title ?? t.untitled, formatInstant(expiresAt))}
          label={t.remind}
        />
      )}
      <ConfirmButton
        title={t.revokeTitle}
        text={t.revokeText}
        action={t.revoke}
        operation="deleteUploadLink"
        input={{ link: id }}
        changes={['listUploadLinks']}
      />
      {isOpened && <SenderList link={id} />}
    </li>
  );
}

function LinkFacts({ link: { title, expiresAt, madeBy, request } }: { link: UploadLink }) {
  const leftMs = Date.parse(expiresAt) - Date.now();
  const isOver = request !== undefined && leftMs <= 0;
  return (
    <div className="row-main">
      <strong>
        <bdi>{title ?? t.untitled}</bdi>{' '}
        {request?.isOpen === false && <span className="badge">{t.closed}</span>}
        {request?.isOpen === true && leftMs <= 86_400_000 && (
          <span className="badge">{t.closesSoon}</span>
        )}
      </strong>
      <span className="hint">
        {request && `${t.received(request.received, request.maxUploads)} · `}
        <Time at={expiresAt} text={isOver ? t.closedAt : t.expires} /> ·{' '}
        <bdi>{t.madeBy(madeBy.name)}</bdi>
      </span>
    </div>
  );
}
