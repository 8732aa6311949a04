import type { Input, Project } from '../../api/contract.ts';

export type Change = Input<'updateProjectSettings'>;

/** The settings as a form has them: texts are never null. */
export interface SettingsForm {
  title: string;
  slug: string;
  isPublished: boolean;
  access: Project['access'];
  password: string;
  expiresIn: '' | NonNullable<Change['expiresIn']>;
  pageTitle: string;
  metaDescription: string;
  noIndex: boolean;
  disableDownloads: boolean;
  analyticsEnabled: boolean;
  workspaceId: string;
}

/** The form of a project as it is. */
export function formOf(project: Project): SettingsForm {
  return {
    title: project.title,
    slug: project.slug,
    isPublished: project.status !== 'private',
    access: project.access,
    password: '',
    expiresIn: '',
    pageTitle: project.pageTitle ?? '',
    metaDescription: project.metaDescription ?? '',
    noIndex: project.noIndex,
    disableDownloads: project.disableDownloads,
    analyticsEnabled: project.analyticsEnabled,
    workspaceId: project.workspaceId ?? '',
  };
}

/** Only what somebody changed, so that a change made elsewhere meanwhile stays. */
export function changeOf(project: Project, form: SettingsForm): Change {
  const before = formOf(project);
  const changed = Object.keys(form).filter((name) => fieldOf(form, name) !== fieldOf(before, name));
  const sent = sentFields(form);
  const names = new Set(changed.flatMap((name) => sentWith[name] ?? [name]));
  const fields = Object.entries(sent).filter(([name]) => names.has(name));
  return { projectId: project.id, ...Object.fromEntries(fields) };
}

function fieldOf(form: SettingsForm, name: string): unknown {
  return Object.entries(form).find(([one]) => one === name)?.[1];
}

/** Fields of the request that have another name than in the form, or that go together. */
const sentWith: Record<string, string[]> = {
  isPublished: ['status'],
  access: ['access', 'password'],
  password: ['access', 'password'],
};

/** The whole form as the request has it; an empty text is null. */
function sentFields({ isPublished, password, expiresIn, ...form }: SettingsForm): Partial<Change> {
  return {
    ...form,
    status: isPublished ? 'public' : 'private',
    ...(password !== '' && { password }),
    ...(expiresIn !== '' && { expiresIn }),
    pageTitle: form.pageTitle || null,
    metaDescription: form.metaDescription || null,
    workspaceId: form.workspaceId || null,
  };
}

const passwordLetters = 'abcdefghijkmnpqrstuvwxyz23456789';

/** A password of 16 letters that are easy to tell apart: 80 random bits. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const letters = [...bytes].map((byte) => passwordLetters[byte % passwordLetters.length]);
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}
