import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InlineForm } from '../../../ui/inline-form.tsx';
import { useChange } from '../../api/account.ts';
import { texts } from '../../texts/en.ts';
import { operatorTexts as t } from '../../texts/en-operator.ts';

/** Asks for the reason of a takedown, which the owner of the project reads. */
export function TakeDown({ target, onClose }: { target: string; onClose: () => void }) {
  const takeDown = useChange('takeDownProject', ['listReports'], onClose);
  return (
    <AskReason
      title={t.decisions['taken-down'].title(target)}
      text={t.decisions['taken-down'].text}
      action={t.decisions['taken-down'].action}
      label={t.reasonField}
      change={takeDown}
      run={(reason) => takeDown.mutate({ target, reason })}
      onClose={onClose}
    />
  );
}

/** Asks for the reason of what an operator is about to do. */
export function AskReason({ title, text, label, onClose, ...form }: AskReasonProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack">
        <p>{text}</p>
        <InlineForm label={label} required maxLength={1000} {...form} />
        <div className="choices">
          <Button looks="quiet" onClick={onClose}>
            {texts.states.cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface AskReasonProps {
  title: string;
  text: string;
  label: string;
  /** What the reason is at first. */
  initial?: string;
  action: string;
  change: { isPending: boolean; error: Error | null };
  run: (reason: string) => void;
  onClose: () => void;
}
