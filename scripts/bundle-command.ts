import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { inputFiles } from './bundle-inputs.ts';
import { operationTable } from './web-app/operation-table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The command line (`cli/`) as one script. */
interface BundledCommand {
  code: string;
  /** Names this code: the beginning of its SHA-256. */
  build: string;
  /** Every file that was read, relative to the repository. */
  inputs: string[];
}

let bundling: Promise<BundledCommand> | undefined;

/** Bundles the command line once in a process. */
export async function bundleCommand(): Promise<BundledCommand> {
  bundling ??= bundle();
  return bundling;
}

async function bundle(): Promise<BundledCommand> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['cli/main.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'warning',
    plugins: [operationsModule],
  });
  const code = outputFiles[0]?.text ?? '';
  const name = createHash('sha256').update(code).digest('hex').slice(0, 12);
  return { code, build: name, inputs: [...inputFiles(metafile), 'contract/operations'] };
}

/** `virtual:operations`: method and path of each operation, without their schemas. */
const operationsModule = madeModule('virtual:operations', async () => ({
  operations: await operationTable(),
}));

/** `virtual:command`: the command line, for the function that packs it. */
export const commandModule = madeModule('virtual:command', async () => {
  const { code, build } = await bundleCommand();
  return { code, build };
});

/** A module that exports these values. */
function madeModule(name: string, make: () => Promise<Record<string, unknown>>): Plugin {
  return {
    name,
    setup(bundle) {
      bundle.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
        path: name,
        namespace: 'made',
      }));
      bundle.onLoad({ filter: new RegExp(`^${name}$`), namespace: 'made' }, async () => {
        const values = Object.entries(await make());
        const contents = values
          .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
          .join('\n');
        return { contents, loader: 'js' };
      });
    },
  };
}
