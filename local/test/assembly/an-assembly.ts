import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment } from '../../assembly/deployment.ts';
import { readAssembly } from '../../assembly/read-assembly.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface ATemplate {
  Resources?: Record<string, object>;
  [section: string]: unknown;
}

/** Writes a cloud assembly; a stack depends on those before it unless `dependencies` says otherwise. */
export function anAssembly(stacks: Record<string, ATemplate>, dependencies = {}): string {
  const dir = temporaryFolder('assembly');
  const artifacts: Record<string, unknown> = {};
  for (const [name, template] of Object.entries(stacks)) {
    writeFileSync(join(dir, `${name}.template.json`), JSON.stringify(template));
    writeFileSync(
      join(dir, `${name}.assets.json`),
      JSON.stringify({
        files: {
          abc: {
            source: { path: 'asset.abc', packaging: 'zip' },
            destinations: { current: { bucketName: 'assets', objectKey: 'abc.zip' } },
          },
        },
      }),
    );
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      properties: { templateFile: `${name}.template.json` },
      dependencies: [`${name}.assets`, ...((dependencies as Record<string, string[]>)[name] ?? [])],
    };
    artifacts[`${name}.assets`] = {
      type: 'cdk:asset-manifest',
      properties: { file: `${name}.assets.json` },
    };
  }
  mkdirSync(join(dir, 'asset.abc'));
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ version: '1', artifacts }));
  return dir;
}

/** A deployment of one stack named `Stack`. */
export function aDeployment(template: ATemplate): Deployment {
  return new Deployment(readAssembly(anAssembly({ Stack: template })));
}
