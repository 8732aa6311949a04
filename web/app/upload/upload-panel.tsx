import { Link } from '@tanstack/react-router';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import type { SecretFinding } from '../../../contract/errors.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { formatBytes, formatDuration } from '../texts/format.ts';
import { texts } from '../texts/en.ts';
import { InterruptedUploads } from './interrupted-card.tsx';
import { DraftCard } from './draft-card.tsx';
import {
  answerUpload,
  dismissUpload,
  pauseUpload,
  publishLeftOut,
  resumeUpload,
  retryUpload,
  uploadStore,
} from './upload-store.ts';
import type { UploadState } from './upload-state.ts';

const t = texts.publish;

/** What is being published, over every view. */
export function UploadPanel() {
  const uploads = useSyncExternalStore(uploadStore.subscribe, uploadStore.snapshot);
  return (
    <section className="uploads" aria-label={texts.publish.publishing('')} aria-live="polite">
      <InterruptedUploads />
      {uploads.map((upload) => (
        <UploadCard key={upload.id} upload={upload} />
      ))}
    </section>
  );
}

function UploadCard({ upload }: { upload: UploadState }) {
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
            <ErrorNote error={upload.error} onRetry={() => retryUpload(upload.id)} />
          )}
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

function Dismiss({ id, label }: { id: string; label: string }) {
  return (
    <button type="button" className="button quiet small" onClick={() => dismissUpload(id)}>
      {label}
    </button>
  );
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
        <button
          type="button"
          className="button quiet small"
          onClick={() => (isPaused ? resumeUpload(id) : pauseUpload(id))}
        >
          {isPaused ? t.resume : t.pause}
        </button>
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

function Question({ upload }: { upload: UploadState }) {
  const { id, question } = upload;
  switch (question?.kind) {
    case 'home':
      return <HomeQuestion id={id} htmlPaths={question.htmlPaths} />;
    case 'keys':
      return <KeysQuestion id={id} findings={question.findings} count={question.count} />;
    case undefined:
      return null;
    default:
      return question satisfies never;
  }
}

/** More would not fit beside what the card covers. */
const shownFindings = 5;

/** Where the files seem to have keys, and whether they are published all the same. */
function KeysQuestion({ id, findings, count }: KeysQuestionProps) {
  const shown = findings.slice(0, shownFindings);
  return (
    <div className="card upload" role="alert">
      <h2>{t.keys}</h2>
      <p className="hint">{t.keysHint}</p>
      <ul className="paths">
        {shown.map(({ path, line, kind }) => (
          <li key={`${path} ${line}`}>
            <bdi>{path}</bdi>
            {t.keyPlace(line, kind.replaceAll('-', ' '))}
          </li>
        ))}
        {count > shown.length && <li>{t.moreKeys(count - shown.length)}</li>}
      </ul>
      <div className="choices">
        <Dismiss id={id} label={t.cancel} />
        <button
          type="button"
          className="button quiet small"
          onClick={() => answerUpload(id, { allowSecrets: true })}
        >
          {t.publishKeys}
        </button>
      </div>
    </div>
  );
}

interface KeysQuestionProps {
  id: string;
  findings: readonly SecretFinding[];
  count: number;
}

function HomeQuestion({ id, htmlPaths }: { id: string; htmlPaths: readonly string[] }) {
  const [home, setHome] = useState(htmlPaths[0] ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answerUpload(id, { zipIndexHtmlPath: home });
  };
  return (
    <form className="card upload" onSubmit={submit}>
      <h2>{t.home}</h2>
      <p className="hint">{t.homeHint}</p>
      <label className="field">
        <span className="unseen">{t.home}</span>
        <select value={home} onChange={(event) => setHome(event.target.value)}>
          {htmlPaths.map((path) => (
            <option key={path}>{path}</option>
          ))}
        </select>
      </label>
      <div className="choices">
        <button className="button small">{t.useHome}</button>
        <Dismiss id={id} label={t.cancel} />
      </div>
    </form>
  );
}

/** What was not published, with the way to publish it. */
function LeftOutLine({ upload: { id, result } }: { upload: UploadState }) {
  if (result?.leftOut === undefined) return null;
  const { count, paths } = result.leftOut;
  return (
    <p className="hint">
      <bdi>{t.leftOut(count, paths.slice(0, 3))}</bdi>{' '}
      <button type="button" className="button quiet small" onClick={() => publishLeftOut(id)}>
        {t.publishLeftOut}
      </button>
    </p>
  );
}

function Published({ upload }: { upload: UploadState }) {
  const { result, title } = upload;
  if (result === undefined) return null;
  const { url, projectId, draft } = result;
  if (draft !== undefined) {
    const version = { projectId, version: draft, url };
    return (
      <DraftCard draft={version} dismiss={() => dismissUpload(upload.id)}>
        <LeftOutLine upload={upload} />
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
      <LeftOutLine upload={upload} />
      <div className="choices">
        <CopyButton text={url} />
        {'share' in navigator && (
          <button
            type="button"
            className="button quiet small"
            onClick={() => void navigator.share(share).catch(() => undefined)}
          >
            {t.share}
          </button>
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
