import { useState } from 'react';
import { Confirm } from '../../ui/confirm.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useChange, useOperation } from '../api/account.ts';
import type { Output } from '../api/contract.ts';
import { Paid, usePlan } from '../shell/paid.tsx';
import { texts } from '../texts/en.ts';

const t = texts.workspaces;

type Workspace = Output<'listWorkspaces'>['workspaces'][number];

/** Folders of projects. */
export function WorkspacesView() {
  const plan = usePlan();
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      {plan?.tier === 'free' ? <Paid what={t.title} /> : <Workspaces />}
    </>
  );
}

function Workspaces() {
  const query = useOperation('listWorkspaces', {});
  const create = useChange('createWorkspace', ['listWorkspaces']);
  return (
    <>
      <InlineForm
        label={t.name}
        action={t.create}
        required
        maxLength={255}
        change={create}
        run={(name, empty) => create.mutate({ name }, { onSuccess: empty })}
      />
      <QueryState query={query}>
        {({ workspaces }) =>
          workspaces.length === 0 ? (
            <p className="muted">{t.empty}</p>
          ) : (
            <ul className="plain-rows">
              {workspaces.map((workspace) => (
                <WorkspaceRow key={workspace.id} workspace={workspace} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </>
  );
}

function WorkspaceRow({ workspace }: { workspace: Workspace }) {
  const [mode, setMode] = useState<'rename' | 'delete'>();
  const close = () => setMode(undefined);
  const rename = useChange('renameWorkspace', ['listWorkspaces']);
  const remove = useChange('deleteWorkspace', ['listWorkspaces', 'listProjects'], close);
  const { id: workspaceId, projectCount } = workspace;
  // The new name is shown at once; a refusal brings the old one back, with what was entered.
  const name = rename.isPending ? rename.variables.name : workspace.name;
  const renameTo = (next: string) => {
    close();
    rename.mutate({ workspaceId, name: next }, { onError: () => setMode('rename') });
  };
  return (
    <li className="row">
      <div className="row-main">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="hint">{texts.projects.count(projectCount, false)}</span>
        {mode === 'rename' && (
          <InlineForm
            label={t.name}
            action={t.rename}
            required
            maxLength={255}
            initial={rename.error ? rename.variables.name : name}
            change={rename}
            run={renameTo}
          />
        )}
      </div>
      <button type="button" className="button quiet small" onClick={() => setMode('rename')}>
        {t.rename}
      </button>
      <button type="button" className="button quiet small" onClick={() => setMode('delete')}>
        {t.delete}
      </button>
      {mode === 'delete' && (
        <Confirm
          title={t.deleteTitle(name)}
          text={t.deleteText}
          action={t.delete}
          change={{ ...remove, run: () => remove.mutate({ workspaceId }) }}
          onClose={close}
        />
      )}
    </li>
  );
}
