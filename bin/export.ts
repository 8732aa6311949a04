import { terminal } from './command-line.ts';
import { runExport } from './run-export.ts';

process.exitCode = await runExport(process.argv.slice(2), process.env, terminal);
