import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What `.slipway/project.json` remembers of a folder: which project its files are. It holds no secret. */
export interface LinkedProject {
  /** The address of the installation. */
  service: string;
  projectId: string;
  url: string;
  /** The paths that were published, as they were typed. */
  paths: readonly string[];
}

function fileIn(folder: string): string {
  return path.join(folder, '.slipway', 'project.json');
}

/** The project that a folder is linked to at an installation. */
export async function linkedProject(
  folder: string,
  service: string,
): Promise<LinkedProject | undefined> {
  try {
    const linked: LinkedProject = JSON.parse(await readFile(fileIn(folder), 'utf8'));
    return linked.service === service ? linked : undefined;
  } catch {
    return undefined;
  }
}

/** Links a folder to a project. */
export async function linkProject(folder: string, linked: LinkedProject): Promise<void> {
  await mkdir(path.dirname(fileIn(folder)), { recursive: true });
  await writeFile(fileIn(folder), `${JSON.stringify(linked, null, 2)}\n`);
}

/** Forgets the project of a folder; the project stays. */
export async function unlinkProject(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true });
}
