import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { SecretFinding } from '../../../contract/errors.ts';
import { texts } from '../texts/en.ts';
import type { UploadChoices, UploadState } from './upload-state.ts';
import { answerUpload, dismissUpload } from './upload-store.ts';

const t = texts.publish;

/** What a person has to decide before an upload is published. */
export function Question({ upload }: { upload: UploadState }) {
  const { id, question } = upload;
  switch (question?.kind) {
    case 'home':
      return <HomeQuestion id={id} htmlPaths={question.htmlPaths} />;
    case 'keys':
      return <KeysQuestion id={id} findings={question.findings} count={question.count} />;
    case 'locked':
      return (
        <Confirmation
          id={id}
          title={t.locked}
          hint={t.lockedHint}
          action={t.shareLocked}
          choice={{ asFileBundle: true }}
        />
      );
    case 'source':
      return (
        <Confirmation
          id={id}
          title={t.source}
          hint={t.sourceHint}
          action={t.publishKeys}
          choice={{}}
        />
      );
    case undefined:
      return null;
    default:
      return question satisfies never;
  }
}

/** Asks whether an upload goes on with `choice`. */
function Confirmation({ id, title, hint, action, choice }: ConfirmationProps) {
  return (
    <div className="card upload" role="alert">
      <h2>{title}</h2>
      <p className="hint">{hint}</p>
      <div className="choices">
        <Dismiss id={id} label={t.cancel} />
        <Button onClick={() => answerUpload(id, choice)}>{action}</Button>
      </div>
    </div>
  );
}

interface ConfirmationProps {
  id: string;
  title: string;
  hint: string;
  action: string;
  choice: UploadChoices;
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
        <Button onClick={() => answerUpload(id, { allowSecrets: true })}>{t.publishKeys}</Button>
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

/** Ends an upload and its card. */
export function Dismiss({ id, label }: { id: string; label: string }) {
  return <Button onClick={() => dismissUpload(id)}>{label}</Button>;
}
