import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { webhookTexts as t } from '../texts/en-webhooks.ts';
import { NewWebhook } from './new-webhook.tsx';

type Webhook = Output<'listWebhooks'>['webhooks'][number];
type Delivery = Output<'listDeliveries'>['deliveries'][number];

/** Where events of the account are sent, and what arrived. */
export function WebhooksView() {
  const query = useOperation('listWebhooks', {});
  const create = useChange('createWebhook', ['listWebhooks']);
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <section className="card stack" aria-label={t.create}>
        <NewWebhook key={create.data?.id} create={create} />
        {create.data && <Secret text={t.secret} secret={create.data.secret} />}
      </section>
      <QueryState query={query}>
        {({ webhooks }) => (
          <Rows items={webhooks} empty={t.empty}>
            {(webhook) => <WebhookRow key={webhook.id} webhook={webhook} />}
          </Rows>
        )}
      </QueryState>
    </>
  );
}

function Secret({ text, secret }: { text: string; secret: string }) {
  return (
    <div role="status" className="full">
      <p>{text}</p>
      <p className="address">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
    </div>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const [isOpen, setOpen] = useState(false);
  const { id: webhookId, enabled } = webhook;
  const change = useChange('updateWebhook', ['listWebhooks']);
  const test = useChange('testWebhook', ['listDeliveries'], () => setOpen(true));
  const rotate = useChange('rotateWebhookSecret', []);
  const error = change.error ?? test.error ?? rotate.error;
  return (
    <li className="row wrap">
      <WebhookFacts webhook={webhook} />
      <Action label={t.test} change={test} run={() => test.mutate({ webhookId })} />
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {t.deliveries}
      </Button>
      <Action
        label={enabled ? t.turnOff : t.turnOn}
        change={change}
        run={() => change.mutate({ webhookId, enabled: !enabled })}
      />
      <Action label={t.rotate} change={rotate} run={() => rotate.mutate({ webhookId })} />
      <ConfirmButton
        title={t.removeTitle}
        text={t.removeText}
        action={t.remove}
        operation="deleteWebhook"
        input={{ webhookId }}
        changes={['listWebhooks']}
      />
      {error && <ErrorNote error={error} />}
      {rotate.data && <Secret text={t.rotated} secret={rotate.data.secret} />}
      {isOpen && <Deliveries webhookId={webhookId} />}
    </li>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { url, events: sent, enabled, failingSince, projectId } = webhook;
  const { data } = useOperation('listProjects', { limit: '100' }, { enabled: projectId !== null });
  const title = data?.projects.find(({ id }) => id === projectId)?.title;
  return (
    <div className="row-main">
      <strong>
        <bdi>{new URL(url).host}</bdi> {!enabled && <span className="badge">{t.off}</span>}
      </strong>
      <span className="hint">
        {projectId !== null && <bdi>{title ?? t.project}: </bdi>}
        {sent.map((name) => t.of[name]).join(' · ')}
        {failingSince !== null && ' · '}
        {failingSince !== null && <Time at={failingSince} text={t.failing} />}
      </span>
    </div>
  );
}

interface ActionProps {
  label: string;
  change: { isPending: boolean };
  run: () => void;
}

function Action({ label, change, run }: ActionProps) {
  return (
    <Button disabled={change.isPending} onClick={run}>
      {label}
    </Button>
  );
}

function Deliveries({ webhookId }: { webhookId: string }) {
  const query = useOperation('listDeliveries', { webhookId }, { refetchInterval: 5000 });
  return (
    <div className="full">
      <QueryState query={query} lines={2}>
        {({ deliveries }) => (
          <Rows items={deliveries} empty={t.noDeliveries}>
            {(delivery) => (
              <DeliveryRow key={delivery.id} webhookId={webhookId} delivery={delivery} />
            )}
          </Rows>
        )}
      </QueryState>
    </div>
  );
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const again = useChange('redeliver', ['listDeliveries']);
  const { id: deliveryId, type, at, state, lastAttempt, nextAttemptAt } = delivery;
  return (
    <li className="row wrap">
      <div className="row-main">
        <span>
          {t.of[type]} · {t.state[state]} · <Time at={at} form="ago" />
          {lastAttempt !== null && nextAttemptAt !== null && (
            <>
              {' '}
              · <Time at={nextAttemptAt} form="ago" text={t.next} />
            </>
          )}
        </span>
        {lastAttempt && (
          <span className="hint">
            <bdi>{t.answer(lastAttempt.status, lastAttempt.body.slice(0, 200))}</bdi>
          </span>
        )}
      </div>
      {(state !== 'waiting' || lastAttempt !== null) && (
        <Action
          label={t.again}
          change={again}
          run={() => again.mutate({ webhookId, deliveryId })}
        />
      )}
      {again.error && <ErrorNote error={again.error} />}
    </li>
  );
}
