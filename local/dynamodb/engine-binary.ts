import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartError } from '../start-error.ts';

const VERSION = '1.2.1';
const EXECUTABLE = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';

function installed(packageName: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), EXECUTABLE);
  } catch {
    return undefined;
  }
}

/**
 * Where the DynamoDB engine lies. It comes as an optional dependency for Linux on x64; for any other
 * machine its package is installed into the state directory at the first start.
 */
export async function findBinary(stateDir: string): Promise<string> {
  const packageName = `@dynoxide/${process.platform}-${process.arch}`;
  const engineDir = join(stateDir, 'engine');
  const later = join(engineDir, 'node_modules', packageName, EXECUTABLE);
  const found = [installed(packageName), later].find(
    (file) => file !== undefined && existsSync(file),
  );
  if (found !== undefined) return found;
  const options = [
    '--prefix',
    engineDir,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  try {
    await promisify(execFile)(npm, ['install', ...options, `${packageName}@${VERSION}`]);
  } catch {
    throw new StartError(
      `The local DynamoDB (${packageName}@${VERSION}) is not available for this machine. Run another DynamoDB-compatible server and set DYNAMODB_ENDPOINT to its address.`,
    );
  }
  return later;
}
