import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { texts } from '../texts/en.ts';
import { chosenFiles } from './dropped-files.ts';
import { type Picked, picked } from './picked.ts';
import { usePublish } from './publish.ts';
import type { UploadTarget } from './upload-state.ts';

const t = texts.publish;

/** Chooses files or a folder, for those who do not drop. */
export function FileButtons({ target, onPicked, quiet, label = t.files }: FileButtonsProps) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const publish = usePublish();
  // React knows no property for it.
  useEffect(() => folder.current?.setAttribute('webkitdirectory', ''), []);
  const publishChosen = (input: HTMLInputElement) => {
    const all = picked(chosenFiles(input.files ?? []));
    input.value = '';
    if (all.files.length === 0) return;
    if (onPicked !== undefined) onPicked(all);
    else publish(all, target ?? { kind: 'project' });
  };
  return (
    <div className="choices">
      <button
        type="button"
        className={quiet === true ? 'button quiet' : 'button'}
        onClick={() => files.current?.click()}
      >
        {label}
      </button>
      <Button looks="quiet" onClick={() => folder.current?.click()}>
        {t.folder}
      </Button>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={({ target }) => publishChosen(target)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={t.folder}
        onChange={({ target }) => publishChosen(target)}
      />
    </div>
  );
}

interface FileButtonsProps {
  /** What becomes of the files; a new project if this is absent. */
  target?: UploadTarget;
  /** Takes the files instead. */
  onPicked?: (picked: Picked) => void;
  quiet?: boolean;
  /** What the button for files says. */
  label?: string;
}
