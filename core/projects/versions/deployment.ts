import type { Project, Version } from '../project.ts';

/** The name of a version in the interface. */
export function deploymentOf(version: number): { deploymentId: string } {
  return { deploymentId: `dep_v${version}` };
}

/** A version as its owner sees it: the live one is `active`, kept ones are `ready`. */
export function viewDeployment(project: Pick<Project, 'version'>, kept: Version) {
  const { version, bytes, createdAt, warnings } = kept;
  const status = version === project.version ? ('active' as const) : ('ready' as const);
  return {
    ...deploymentOf(version),
    version,
    status,
    sizeBytes: bytes,
    createdAt,
    ...toldOf({ warnings }),
  };
}

/** What is told of a version that was published all the same; nothing where there is nothing. */
export function toldOf({ warnings }: Pick<Version, 'warnings'>): Pick<Version, 'warnings'> {
  return warnings === undefined ? {} : { warnings };
}
