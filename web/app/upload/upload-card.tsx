import { Link } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { isRateLimited, OtherAccountError } from '../api/api-error.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { formatBytes, formatDuration } from '../texts/format.ts';
import { texts } from '../texts/en.ts';
import { IgnoredLines } from '../views/project/ignored-lines.tsx';
import { DraftCard } from './draft-card.tsx';
import {
  dismissUpload,
  pauseUpload,
  publishAgain,
  resumeUpload,
  retryUpload,
} from './upload-store.ts';
import { Dismiss, Question } from './upload-questions.tsx';
import type { UploadState } from './upload-state.ts';

const t = texts.publish;

/** What becomes of one upload, and what a person can do about it. */
export function UploadCard({ upload }: { upload: UploadState }) {
  switch (upload.phase) {
    case 'sending':
      return <Sending upload={upload} />;
    case 'storing':
      return (
        <Card upload={upload}>
          <p>{t.storing}</p>
          <progress aria-label={t.storing} />
        </Card>
      );
    case 'asking':
      return <Question upload={upload} />;
    case 'failed':
      return (
        <Card upload={upload}>
          {upload.error && (
            <ErrorNote
              error={upload.error}
              {...(!(upload.error instanceof OtherAccountError) && {
                onRetry: () => retryUpload(upload.id),
              })}
            />
          )}
          {isRateLimited(upload.error) && <p className="hint">{t.sentLater}</p>}
          <Dismiss id={upload.id} label={t.dismiss} />
        </Card>
      );
    case 'done':
      return <Published upload={upload} />;
    default:
      return upload.phase satisfies never;
  }
}

function Card({ upload, children }: { upload: UploadState; children: React.ReactNode }) {
  return (
    <div className="card upload">
      <h2>{upload.phase === 'done' ? doneTitle(upload) : t.publishing(upload.title)}</h2>
      {children}
    </div>
  );
}

function doneTitle({ target }: UploadState): string {
  if (target.kind === 'files') return t.filesChanged;
  return target.kind === 'version' ? t.newVersion : t.live;
}

function Sending({ upload }: { upload: UploadState }) {
  const { id, sentBytes, totalBytes, isPaused } = upload;
  return (
    <Card upload={upload}>
      <progress value={sentBytes} max={totalBytes} aria-label={t.publishing(upload.title)} />
      <p className="hint number">
        {t.sending(formatBytes(sentBytes), formatBytes(totalBytes))} · {progressText(upload)}
      </p>
      <div className="choices">
        <Button onClick={() => (isPaused ? resumeUpload(id) : pauseUpload(id))}>
          {isPaused ? t.resume : t.pause}
        </Button>
        <Dismiss id={id} label={t.cancel} />
      </div>
    </Card>
  );
}

function progressText({ isPaused, isWaiting, bytesPerSecond, sentBytes, totalBytes }: UploadState) {
  if (isPaused) return t.paused;
  if (isWaiting) return t.waiting;
  if (bytesPerSecond <= 0) return '…';
  const left = formatDuration((totalBytes - sentBytes) / bytesPerSecond);
  return t.speed(formatBytes(bytesPerSecond), left);
}

/** What was not published, with the way to publish it, and what was ignored. */
function Notices({ upload }: { upload: UploadState }) {
  const { ignored = [] } = upload.result ?? {};
  return (
    <>
      <LeftOutLine upload={upload} />
      <PicturesLine upload={upload} />
      {ignored.length > 0 && <IgnoredLines warnings={ignored} />}
    </>
  );
}

function LeftOutLine({ upload: { id, result } }: { upload: UploadState }) {
  if (result?.leftOut === undefined) return null;
  const { count, paths } = result.leftOut;
  return (
    <p className="hint">
      <bdi>{t.leftOut(count, paths.slice(0, 3))}</bdi>{' '}
      <Button onClick={() => publishAgain(id, { includeHidden: true })}>{t.publishLeftOut}</Button>
    </p>
  );
}

function PicturesLine({ upload: { id, result } }: { upload: UploadState }) {
  const { remotePictures = 0 } = result ?? {};
  if (remotePictures === 0) return null;
  return (
    <p className="hint">
      {t.remotePictures(remotePictures)}{' '}
      <Button onClick={() => publishAgain(id, { takePictures: true })}>
        {t.takePictures(remotePictures)}
      </Button>
    </p>
  );
}

function Published({ upload }: { upload: UploadState }) {
  const { result, title } = upload;
  if (result === undefined) return null;
  const { url, projectId, draft } = result;
  if (draft !== undefined) {
    const version = { projectId, version: draft };
    return (
      <DraftCard draft={version} dismiss={() => dismissUpload(upload.id)}>
        <Notices upload={upload} />
      </DraftCard>
    );
  }
  const share = { title, url };
  return (
    <Card upload={upload}>
      <p className="address">
        <a href={url} target="_blank" rel="noreferrer">
          {url.replace(/^https?:\/\//, '')}
        </a>
      </p>
      <Notices upload={upload} />
      <div className="choices">
        <CopyButton text={url} />
        {'share' in navigator && (
          <Button onClick={() => void navigator.share(share).catch(() => undefined)}>
            {t.share}
          </Button>
        )}
        <Link
          className="button quiet small"
          to="/projects/$projectId"
          params={{ projectId }}
          onClick={() => dismissUpload(upload.id)}
        >
          {t.manage}
        </Link>
        <Dismiss id={upload.id} label={t.dismiss} />
      </div>
    </Card>
  );
}
