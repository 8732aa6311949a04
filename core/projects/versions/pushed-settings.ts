import type { ProjectSnapshot } from '../change/change-project.ts';
import type { NextProjectState } from '../change/project-change.ts';
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

function hasSettings(project: Project, push: PushedSettings = {}): boolean {
  return pushedSettingNames.every((name) => (push[name] ?? project[name]) === project[name]);
}

/** The settings of a push whose files are live already; nothing where they are the project's. Pure. */
export function settingsAlone(
  { project, live }: ProjectSnapshot,
  settings: PushedSettings | undefined,
): Omit<NextProjectState, 'limits'> | undefined {
  return hasSettings(project, settings) ? undefined : { fields: pushedSettings(settings), live };
}
