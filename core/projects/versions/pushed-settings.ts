import type { Project } from '../project.ts';

const pushedSettingNames = ['title', 'spa', 'prettyUrls'] as const;

/** Settings that a push brings with it; missing ones keep their values. */
export type PushedSettings = {
  [Name in (typeof pushedSettingNames)[number]]?: Project[Name] | undefined;
};

/** The settings among the fields of a push. Pure. */
export function pushedSettings(push: PushedSettings = {}): Partial<Project> {
  const sent = pushedSettingNames.filter((name) => push[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [name, push[name]]));
}

/** Whether a project has these settings already. Pure. */
export function hasSettings(project: Project, push: PushedSettings = {}): boolean {
  return pushedSettingNames.every((name) => (push[name] ?? project[name]) === project[name]);
}
