import { Button } from '../../../ui/button.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Time } from '../../../ui/time.tsx';
import { useOperation } from '../../api/account.ts';
import type { Output } from '../../api/contract.ts';
import { texts } from '../../texts/en.ts';
import { formatBytes } from '../../texts/format.ts';
import { useOwnerOpening } from './use-owner-opening.ts';

type Preview = Output<'listPreviews'>['previews'][number];

const t = texts.versions.previews;

/** The named previews of a project; nothing where there are none. */
export function PreviewList({ projectId }: { projectId: string }) {
  const previews = useOperation('listPreviews', { projectId }).data?.previews ?? [];
  if (previews.length === 0) return null;
  return (
    <section className="stack" aria-label={t.title}>
      <h2>{t.title}</h2>
      <ul className="plain-rows">
        {previews.map((preview) => (
          <PreviewRow key={preview.name} projectId={projectId} preview={preview} />
        ))}
      </ul>
    </section>
  );
}

function PreviewRow({ projectId, preview }: { projectId: string; preview: Preview }) {
  const { name, url, access, sizeBytes, updatedAt, expiresAt } = preview;
  const open = useOwnerOpening(projectId);
  return (
    <li className="row wrap">
      <div className="row-main">
        <strong>
          {name} {access === 'public' && <span className="badge">{t.public}</span>}
        </strong>
        <span className="hint">
          <Time at={updatedAt} /> · {formatBytes(sizeBytes)} ·{' '}
          <Time at={expiresAt} text={t.until} />
        </span>
      </div>
      {url !== null && (
        <Button disabled={open.isPending} onClick={() => open.mutate(url)}>
          {texts.publish.open}
        </Button>
      )}
      {open.error && <ErrorNote error={open.error} />}
      <ConfirmButton
        title={t.endTitle(name)}
        text={t.endText}
        action={t.end}
        operation="deletePreview"
        input={{ projectId, name }}
        changes={['listPreviews']}
      />
    </li>
  );
}
