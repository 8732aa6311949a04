import type { AccountCaller } from '../../../core/caller.ts';
import { getProject } from '../../../core/projects/get-project.ts';
import {
  type ProjectUpdate,
  updateProject,
} from '../../../core/projects/settings/update-project.ts';
import { services } from '../services.ts';

/** Changes settings, and shows the project as it is then: its address may be another. */
export async function changeSettings(
  caller: AccountCaller,
  input: ProjectUpdate & { projectId: string },
) {
  const changed = await updateProject(services(), caller, input);
  const project = await getProject(services(), caller, input);
  const output = { ...changed, project };
  const { url, status, access, expiresAt } = project;
  const end = expiresAt === null ? 'no end' : `ends ${expiresAt}`;
  const told = (changed.warnings ?? []).map(({ message }) => ` ${message}`).join('');
  return { output, text: `${url}\nStatus ${status}, access ${access}, ${end}.${told}` };
}
