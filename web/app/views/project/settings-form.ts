import type { ProjectSettings } from '../../../../contract/project-settings.ts';
import type { Input, Project } from '../../api/contract.ts';

export type Change = Input<'updateProjectSettings'>;

/** The fields of a change that name an end; empty to keep the present one. */
export type ChosenEnd = Pick<Change, 'expiresIn' | 'expiresAt'>;

/**
 * The settings as the form holds them: those of the contract, and fields that {@link sentFields}
 * converts for the request.
 */
export interface SettingsForm
  extends ProjectSettings,
    Pick<Project, 'title' | 'domainId' | 'access' | 'workspaceId'> {
  slug: string;
  isPublished: boolean;
  password: string;
  /** The end that somebody chose; empty to keep the present one. */
  end: ChosenEnd;
}

/**
 * The form for the present settings. It also holds the project's other fields, which nobody can
 * change.
 */
export function formOf(project: Project): SettingsForm {
  // The end that is chosen is in `end`.
  const { expiresAt: _, ...fields } = project;
  return { ...fields, isPublished: project.status !== 'private', password: '', end: {} };
}

/** Only what somebody changed, so that a change made elsewhere meanwhile stays. */
export function changeOf(project: Project, form: SettingsForm): Change {
  const before = formOf(project);
  const changed = Object.keys(form).filter((name) => fieldOf(form, name) !== fieldOf(before, name));
  const names = new Set(changed.flatMap((name) => sentWith[name] ?? [name]));
  const fields = Object.entries(sentFields(form)).filter(([name]) => names.has(name));
  const sent = fields.map(([name, value]) => [name, value === '' ? null : value]);
  return { projectId: project.id, ...Object.fromEntries(sent) };
}

/** The value of a field; an emptied text is null. */
function fieldOf(form: SettingsForm, name: string): unknown {
  const value: unknown = Object.entries(form).find(([one]) => one === name)?.[1];
  return value === '' ? null : JSON.stringify(value);
}

/** Fields of the request that have another name than in the form, or that go together. */
const sentWith: Record<string, string[]> = {
  isPublished: ['status'],
  access: ['access', 'password'],
  password: ['access', 'password'],
  end: ['expiresIn', 'expiresAt'],
};

/** The whole form as the request has it. */
function sentFields({ isPublished, password, end, ...form }: SettingsForm): Partial<Change> {
  return {
    ...form,
    status: isPublished ? 'public' : 'private',
    ...(password !== '' && { password }),
    ...end,
  };
}

const passwordLetters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password of 16 letters that are easy to tell apart: 80 random bits. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const letters = [...bytes].map((byte) => passwordLetters[byte % passwordLetters.length]);
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}
