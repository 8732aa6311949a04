import { Deployment } from '../../local/assembly/deployment.ts';
import { readAssembly } from '../../local/assembly/read-assembly.ts';
import type { Resource } from '../../local/assembly/resource.ts';
import { anAssembly } from '../../local/test/assembly/an-assembly.ts';
import type { Assembly } from './synthesize.ts';

/** The resources of both templates with their values, as the local cloud reads them. */
export function localResources({ data, service }: Pick<Assembly, 'data' | 'service'>): Resource[] {
  const stacks = { SlipwayData: { ...data }, SlipwayService: { ...service } };
  const dir = anAssembly(stacks, { SlipwayService: ['SlipwayData'] });
  return new Deployment(readAssembly(dir)).resources();
}
