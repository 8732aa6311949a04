import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm.tsx';
import { InlineForm } from '../../ui/inline-form.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Rows } from '../../ui/rows.tsx';
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
        {({ workspaces }) => (
          <Rows items={workspaces} empty={t.empty}>
            {(workspace) => <WorkspaceRow key={workspace.id} workspace={workspace} />}
          </Rows>
        )}
      </QueryState>
    </>
  );
}

function WorkspaceRow({ workspace }: { workspace: Workspace }) {
  const [isRenaming, setRenaming] = useState(false);
  const rename = useChange('renameWorkspace', ['listWorkspaces']);
  const { id: workspaceId, projectCount } = workspace;
  // The new name is shown at once; a refusal brings the old one back, with what was entered.
  const name = rename.isPending ? rename.variables.name : workspace.name;
  const renameTo = (next: string) => {
    setRenaming(false);
    rename.mutate({ workspaceId, name: next }, { onError: () => setRenaming(true) });
  };
  return (
    <li className="row">
      <div className="row-main">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="hint">{texts.projects.count(projectCount, false)}</span>
        {isRenaming && (
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
      <Button onClick={() => setRenaming(true)}>{t.rename}</Button>
      <ConfirmButton
        title={t.deleteTitle(name)}
        text={t.deleteText}
        action={t.delete}
        operation="deleteWorkspace"
        input={{ workspaceId }}
        changes={['listWorkspaces', 'listProjects']}
      />
    </li>
  );
}
