import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { call } from '../../api/call.ts';
import { delay } from '../../upload/send-part.ts';
import { exportTexts as t } from '../../texts/en-account.ts';
import {
  accountFiles,
  ChangedMeanwhileError,
  EnoughForTodayError,
  type ZipProgress,
} from './account-files.ts';
import { zipStream } from './zip-stream.ts';

/** The file in the browser's own storage, where there is no dialog for a place. It goes at the next start and sign-out. */
const ownName = 'account.zip';
const progressMs = 200;

class NoRoomError extends Error {}
class OldBrowserError extends Error {}

/**
 * The files of the whole account as one ZIP. The browser makes it from the links of the export, and writes it to the
 * disk while it arrives, so its size is that of the disk and not of the memory.
 */
export function AccountZip() {
  const [progress, setProgress] = useState<ZipProgress>();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const zip = useMutation({
    async mutationFn() {
      setProgress(undefined);
      stop.current = new AbortController();
      return downloadZip(stop.current.signal, setProgress);
    },
  });
  useLeaveQuestion(zip.isPending);
  return (
    <>
      <div className="choices">
        <Button looks="quiet" disabled={zip.isPending} onClick={() => zip.mutate()}>
          {t.zip}
        </Button>
        {zip.isPending && (
          <Button looks="quiet" onClick={() => stop.current?.abort()}>
            {t.stop}
          </Button>
        )}
      </div>
      {zip.isPending && <Progress progress={progress} />}
      {zip.data !== undefined && (
        <p role="status">{zip.data === 0 ? t.noFiles : t.zipped(zip.data)}</p>
      )}
      {zip.error && !isStopped(zip.error) && <Failure error={zip.error} />}
    </>
  );
}

function Progress({ progress }: { progress: ZipProgress | undefined }) {
  if (progress === undefined) return <p role="status">{t.preparing}</p>;
  const { bytes, ofBytes } = progress;
  const text = t.zipping(progress);
  return (
    <>
      <progress value={bytes} max={Math.max(bytes, ofBytes, 1)} aria-label={t.zip} />
      <p className="hint number">
        <bdi>{text}</bdi>
      </p>
    </>
  );
}

function Failure({ error }: { error: Error }) {
  const { what, next } = t.failures[failureOf(error)];
  return (
    <div className="fault" role="alert">
      <strong>{what}</strong>
      <p>{next}</p>
    </div>
  );
}

function failureOf(error: Error): keyof typeof t.failures {
  if (error instanceof EnoughForTodayError) return 'day';
  if (error instanceof ChangedMeanwhileError) return 'changed';
  if (error instanceof OldBrowserError) return 'browser';
  return error instanceof NoRoomError || error.name === 'QuotaExceededError' ? 'room' : 'other';
}

/** By the button, or in the dialog for the place. */
function isStopped({ name }: Error): boolean {
  return name === 'AbortError';
}

function useLeaveQuestion(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);
}

/** @returns the number of bytes of the files; 0 without any file, and then nothing is saved */
async function downloadZip(
  signal: AbortSignal,
  onProgress: (progress: ZipProgress) => void,
): Promise<number> {
  const now = new Date();
  const name = `projects-${now.toISOString().slice(0, 10)}.zip`;
  const isPicked = window.showSaveFilePicker !== undefined;
  const target = (await window.showSaveFilePicker?.({ suggestedName: name })) ?? (await ownFile());
  const { quota = Infinity } = isPicked ? {} : await navigator.storage.estimate();
  let shownAt = 0;
  let bytes = 0;
  const show = (progress: ZipProgress) => {
    ({ bytes } = progress);
    if (progress.ofBytes > quota) throw new NoRoomError();
    if (Date.now() - shownAt < progressMs) return;
    shownAt = Date.now();
    onProgress(progress);
  };
  const page = (cursor?: string) => call('exportAccount', cursor === undefined ? {} : { cursor });
  const load = (url: string, headers: Headers) =>
    fetch(url, { headers, signal, credentials: 'omit', cache: 'no-store' });
  const files = accountFiles({ signal, onProgress: show, page, load, wait: delay });
  const out = await target.createWritable();
  try {
    for await (const chunk of zipStream(files, now)) {
      signal.throwIfAborted();
      await out.write(chunk);
    }
    await out.close();
  } catch (error) {
    await out.abort().catch(() => undefined);
    throw error;
  }
  if (bytes > 0 && !isPicked) save(await target.getFile(), name);
  return bytes;
}

async function ownFile(): Promise<FileSystemFileHandle> {
  const isKnown = typeof FileSystemFileHandle !== 'undefined';
  if (!isKnown || !('createWritable' in FileSystemFileHandle.prototype))
    throw new OldBrowserError();
  const folder = await navigator.storage.getDirectory();
  await folder.removeEntry(ownName).catch(() => undefined);
  return folder.getFileHandle(ownName, { create: true });
}

function save(file: File, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
}
