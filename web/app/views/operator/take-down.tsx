import { Dialog } from '../../../ui/dialog.tsx';
import { InlineForm } from '../../../ui/inline-form.tsx';
import { useChange } from '../../api/account.ts';
import { texts } from '../../texts/en.ts';
import { operatorTexts as t } from '../../texts/en-operator.ts';

/** Asks for the reason of a takedown, which the owner of the project reads. */
export function TakeDown({ target, name = target, onClose }: TakeDownProps) {
  const takeDown = useChange('takeDownProject', ['listReports'], onClose);
  return (
    <Dialog title={t.takeDownTitle(name)} onClose={onClose}>
      <div className="stack">
        <p>{t.takeDownText}</p>
        <InlineForm
          label={t.reasonField}
          action={t.takeDown}
          required
          maxLength={1000}
          change={takeDown}
          run={(reason) => takeDown.mutate({ target, reason })}
        />
        <div className="choices">
          <button type="button" className="button quiet" onClick={onClose}>
            {texts.states.cancel}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

interface TakeDownProps {
  /** The id or the address of a project. */
  target: string;
  /** What people call it. */
  name?: string;
  onClose: () => void;
}
