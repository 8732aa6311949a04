import { useContext, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { AccountContext } from '../api/account.ts';
import { texts } from '../texts/en.ts';
import { formatBytes } from '../texts/format.ts';
import { type Picked, sameFiles } from './picked.ts';
import { FileButtons } from './file-buttons.tsx';
import { arrivedBytes, forgetUpload, interruptedUploads } from './interrupted.ts';
import type { InterruptedUpload } from './upload-state.ts';
import { useResume } from './publish.ts';

const t = texts.publish;

/** Uploads that a reload interrupted. A page may not read files again by itself, so it asks for the same ones. */
export function InterruptedUploads() {
  const account = useContext(AccountContext);
  const [uploads, setUploads] = useState(() => interruptedUploads(account, Date.now()));
  return uploads.map((upload) => (
    <InterruptedCard
      key={upload.id}
      upload={upload}
      onEnd={() => setUploads(uploads.filter(({ id }) => id !== upload.id))}
    />
  ));
}

function InterruptedCard({ upload, onEnd }: { upload: InterruptedUpload; onEnd: () => void }) {
  const [isOther, setOther] = useState(false);
  const resume = useResume();
  const all = upload.files.reduce((sum, { size }) => sum + size, 0);
  const goOn = (picked: Picked) => {
    const same = sameFiles(upload, picked);
    setOther(same === undefined);
    if (same === undefined) return;
    resume(upload, same);
    onEnd();
  };
  const discard = () => {
    forgetUpload(upload.id);
    onEnd();
  };
  return (
    <div className="card upload">
      <h2>
        <bdi>{t.interrupted(upload.title)}</bdi>
      </h2>
      <p className="hint">
        {t.interruptedHint(formatBytes(arrivedBytes(upload)), formatBytes(all))}
      </p>
      {isOther && <p role="alert">{t.otherFiles}</p>}
      <FileButtons quiet label={t.sameFiles} onPicked={goOn} />
      <Button onClick={discard}>{t.cancel}</Button>
    </div>
  );
}
