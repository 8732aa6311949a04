import { useId, useState } from 'react';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Time } from '../../../ui/time.tsx';
import { useChange } from '../../api/account.ts';
import type { Input } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { isOpenToAll, useOwnerOpening } from './use-owner-opening.ts';
import { useProject } from './use-project.ts';

const t = texts.versions.previewLink;

type Life = NonNullable<Input<'previewVersion'>['expiresIn']>;
const lives = ['1h', '7d', 'next-version'] as const satisfies readonly Life[];

/** A link to one version of a project: made and opened by one press, then shown with how long it works. */
export function usePreviewLink(projectId: string, version: number) {
  const [life, setLife] = useState<Life>('1h');
  const { project } = useProject();
  const create = useChange('previewVersion', []);
  const asOwner = useOwnerOpening(projectId);
  const input = { projectId, version: String(version) };
  return {
    ...create,
    error: create.error ?? asOwner.error,
    life,
    canOpen: project?.status === 'public',
    open: () =>
      create.mutate(
        { ...input, expiresIn: life },
        {
          onSuccess: ({ url }) => {
            if (project !== undefined && isOpenToAll(project))
              window.open(url, '_blank', 'noreferrer');
            else asOwner.mutate(url);
          },
        },
      ),
    change: (next: Life) => {
      setLife(next);
      create.mutate({ ...input, expiresIn: next });
    },
  };
}

/** The link, once it was made on this page. */
export function PreviewLink({ preview }: { preview: ReturnType<typeof usePreviewLink> }) {
  const id = useId();
  const { data, error, life, change } = preview;
  if (error !== null) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  const { url, expiresAt } = data;
  return (
    <div className="full stack">
      <p className="address">
        <a href={url} target="_blank" rel="noreferrer">
          {t.open}
        </a>
        <CopyButton text={url} />
      </p>
      <div className="field">
        <label htmlFor={id}>{t.works}</label>
        <select
          id={id}
          value={life}
          onChange={({ target }) => change(lives.find((one) => one === target.value) ?? life)}
        >
          {lives.map((one) => (
            <option key={one} value={one}>
              {t.lives[one]}
            </option>
          ))}
        </select>
        <span className="hint" role="status">
          <Time at={expiresAt} text={t.until} /> {t.who}
        </span>
      </div>
    </div>
  );
}
