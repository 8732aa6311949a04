import { useState } from 'react';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows, RowText } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { texts } from '../texts/en.ts';
import { publisherTexts as t } from '../texts/en-publishers.ts';
import { KeyProjects } from './key-projects.tsx';

type Publisher = Output<'addTrustedPublisher'>;

const providers = ['github', 'gitlab'] as const;
const places = ['branch', 'environment', 'pulls'] as const;
type Place = (typeof places)[number];

/** The repositories whose jobs publish without a stored key. */
export function TrustedPublishers() {
  const query = useOperation('listTrustedPublishers', {});
  const [added, setAdded] = useState<Publisher>();
  return (
    <section className="part" id="publishers">
      <h2>{t.title}</h2>
      <p className="muted">{t.intro}</p>
      <NewPublisher onAdded={setAdded} />
      {added && <Lines of={added} />}
      <QueryState query={query} lines={2}>
        {({ publishers }) => (
          <Rows items={publishers} empty={t.empty}>
            {(publisher) => <PublisherRow key={publisher.id} publisher={publisher} />}
          </Rows>
        )}
      </QueryState>
    </section>
  );
}

/** What `slipway trust add` fills in. */
function filledIn(name: string): string | undefined {
  return new URLSearchParams(location.search).get(name) ?? undefined;
}

interface Trusted {
  provider: (typeof providers)[number];
  place: Place;
  name: string;
}

function NewPublisher({ onAdded }: { onAdded: (added: Publisher) => void }) {
  const add = useChange('addTrustedPublisher', ['listTrustedPublishers'], onAdded);
  const [trusted, setTrusted] = useState<Trusted>({
    provider: 'github',
    place: 'branch',
    name: 'main',
  });
  const project = filledIn('project');
  const [chosen, setChosen] = useState<readonly string[] | undefined>(
    project === undefined ? undefined : [project],
  );
  return (
    <>
      <InlineForm
        label={t.repository}
        name="repository"
        action={t.add}
        initial={filledIn('repository')}
        required
        maxLength={255}
        placeholder="owner/name"
        change={add}
        run={(repository, onSuccess) => {
          const { provider, place, name } = trusted;
          const projectIds = chosen === undefined ? null : [...chosen];
          const where = place === 'pulls' ? { pullRequests: true as const } : { [place]: name };
          add.mutate(
            { provider, repository: repository.trim(), ...where, projectIds },
            { onSuccess },
          );
        }}
      >
        <Places trusted={trusted} onChange={setTrusted} />
        <KeyProjects chosen={chosen} onChange={setChosen} />
      </InlineForm>
      <p className="hint">{t.onlyYours}</p>
    </>
  );
}

function Places({ trusted, onChange }: { trusted: Trusted; onChange: (trusted: Trusted) => void }) {
  const { provider, place, name } = trusted;
  // Any branch at GitLab can name any environment.
  const offered = places.filter((one) => provider === 'github' || one !== 'environment');
  return (
    <>
      <Choice
        label={t.provider}
        value={provider}
        of={providers}
        names={t.providers}
        onChange={(next) => onChange({ ...trusted, provider: next, place: 'branch' })}
      />
      <Choice
        label={t.place}
        value={place}
        of={offered}
        names={t.places}
        onChange={(next) => onChange({ ...trusted, place: next })}
      />
      {place !== 'pulls' && (
        <label className="field">
          <span>{t.names[place]}</span>
          <input
            value={name}
            required
            maxLength={255}
            onChange={({ target }) => onChange({ ...trusted, name: target.value })}
          />
        </label>
      )}
    </>
  );
}

function Choice<Value extends string>({
  label,
  value,
  of,
  names,
  onChange,
}: {
  label: string;
  value: Value;
  of: readonly Value[];
  names: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
}) {
  return (
    <label className="field">
      <span>{label}</span>
      <select
        value={value}
        onChange={({ target }) => onChange(of.find((one) => one === target.value) ?? value)}
      >
        {of.map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What the owner adds to the file of the job. */
function linesFor({ provider, id }: Publisher): string {
  const url = location.origin;
  return provider === 'github'
    ? `permissions:\n  contents: read\n  id-token: write\n\nwith:\n  url: ${url}\n  publisher: ${id}`
    : `id_tokens:\n  SLIPWAY_ID_TOKEN:\n    aud: ${url}\nvariables:\n  SLIPWAY_PUBLISHER: ${id}`;
}

function Lines({ of }: { of: Publisher }) {
  const lines = linesFor(of);
  return (
    <section className="card stack" role="status">
      <h3>{t.added}</h3>
      <div className="copied">
        <pre tabIndex={0}>{lines}</pre>
        <CopyButton text={lines} />
      </div>
    </section>
  );
}

function placeOf({ branch, environment }: Publisher): string {
  if (branch !== null) return t.of.branch(branch);
  return environment === null ? t.of.pulls : t.of.environment(environment);
}

function PublisherRow({ publisher }: { publisher: Publisher }) {
  const { id, provider, repository, projectIds, lastUsedAt } = publisher;
  return (
    <li className="row">
      <RowText name={repository}>
        {t.providers[provider]} · <bdi>{placeOf(publisher)}</bdi> ·{' '}
        {projectIds !== null && `${texts.keys.ofProjects(projectIds.length)} · `}
        {lastUsedAt === null ? (
          texts.keys.neverUsed
        ) : (
          <Time at={lastUsedAt} form="ago" text={texts.keys.lastUsed} />
        )}{' '}
        · <code>{id}</code>
      </RowText>
      <ConfirmButton
        title={t.removeTitle(repository)}
        text={t.removeText}
        action={t.remove}
        operation="deleteTrustedPublisher"
        input={{ publisherId: id }}
        changes={['listTrustedPublishers']}
      />
    </li>
  );
}
